/** How a wrong configuration ends the program. Apart from config.ts, which costs a client command more to load than to run. */

/** A wrong configuration: the message names the path and the reason, and the program ends with exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
