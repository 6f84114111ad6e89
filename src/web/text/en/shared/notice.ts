export const notice = {
  tryAgainIn: (span: string) => `You can try again in ${span}.`,
  supportId: 'Support id',
}
