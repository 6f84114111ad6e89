export const page = {
  heading: 'Quota and organization',
}
