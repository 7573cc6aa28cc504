/** What stands between two operands: the operator, without comments, and without the directives around a part of an expression. */
const comment = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\n]*/g
const directiveLine = /^[ \t]*#[^\n]*$/gm

export const withoutComments = (text: string): string => text.replaceAll(comment, ' ')

export const operatorIn = (between: string): string =>
  between.length < 4 ? between.trim() : withoutComments(between).replaceAll(directiveLine, ' ').trim()
