export const notice = {
  tryAgainIn: (span: string) => `You can try again in ${span}.`,
  reasons: (reasons: string) => `Why we think so: ${reasons}`,
  supportId: 'Support id',
}
