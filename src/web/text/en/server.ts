export const server = {
  noScript: {
    title: 'Plimsoll needs JavaScript',
    message: 'Allow it for this address, then reload the page.',
  },
  posted: {
    title: 'The service sent your browser back in a way that no sign-in uses',
    message: 'It used POST. Nothing was sent to the service, and you are not signed in.',
  },
  /** In place of a page whose script or words cannot be loaded. */
  failure: {
    title: 'Plimsoll could not be loaded',
    message: 'A part of the page did not arrive. Nothing was lost, and nothing was spent.',
    reload: 'Reload',
  },
}
