/** The organizations that a browser is signed in to. */
export const open = {
  heading: 'Still signed in',
  /** @param organization one of the three below */
  use: (organization: string) => `Open ${organization} · free`,
  named: (name: string, id: string) => `${name} (${id})`,
  numbered: (id: string) => `organization ${id}`,
  ofKey: 'the organization of an API key',
}
