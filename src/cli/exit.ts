/** How a command says no. */

/** The command ran and the answer is no (not found, violations found): exit code 1. */
export class AnswerIsNo extends Error {
  override readonly name = 'AnswerIsNo'
}
