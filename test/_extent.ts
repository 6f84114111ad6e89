/** `npm run test:whole` plays every round, journey, state and browser; `npm test` takes a part of the longest ones. */
export const IS_WHOLE = process.env['TESTS'] === 'whole'
