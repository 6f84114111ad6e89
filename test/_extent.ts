/** `npm run test:whole` runs every round, journey, state and browser; `npm test` a part of the longest. */
export const IS_WHOLE = process.env['TESTS'] === 'whole'
