/** Ends the process if `engines` in package.json excludes its version of Node. Node 14 can read this file. */
export function assertNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  console.error(
    `Plimsoll does not run on Node ${process.versions.node}: install Node 20.19, 22.12, or 24 or newer.`,
  )
  process.exit(1)
}
