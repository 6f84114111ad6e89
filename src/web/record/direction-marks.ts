/** Marks that turn around the direction of the text beside them (UAX 9). */
export const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
