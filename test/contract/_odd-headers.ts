/** Values of a rate-limit header that are no number, or an unusual one (8.4). */
export const ODD_HEADERS = [
  '',
  '-1',
  '-0',
  '1e9',
  'NaN',
  'Infinity',
  'null',
  '60, 60',
  '1, 60',
  ',',
  '9'.repeat(400),
  '60;w=1',
]
