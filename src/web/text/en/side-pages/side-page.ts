export const sidePage = {
  back: 'Back to quota and organization',
  again: 'Try again',
}
