/**
 * `msg(M_FATAL, "too long")`, `report(FATAL, text)`: what is told at such a level ends the program. Lines of a log do not, whatever their
 * level says, but for the macro that is nothing but `LOG`.
 */
const fatal = /^(?:[A-Z]{1,4}_)?(?:FATAL|PANIC)(?:\s{0,9}\|[\w\s|]{0,99})?$/
const ofLogs = /^(?:LOG|LVL|LEVEL|AV|LL|LOGL)_/
const writesLog = /log|trace|print/i

export const endsProgramBy = (callee: string, levels: readonly string[]): boolean =>
  (!writesLog.test(callee) || callee === 'LOG') && levels.some((level) => fatal.test(level) && !ofLogs.test(level))
