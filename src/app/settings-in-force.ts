/**
 * The settings in force, and reading them again while the server runs: the file is read and checked as a whole, then what a
 * running server can take over is applied, or nothing is and the reason is told.
 */
import { randomUUID } from 'node:crypto'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { Logger } from '#platform/log.js'
import type { Reloaded } from '../../subgraphs/accounts/index.js'
import { type Config, loadConfig } from '../config/config.js'
import { ConfigError } from '../config/config-error.js'
import { changesBetween } from '../config/live-settings.js'

export interface SettingsInForce {
  readonly config: Config
  /** What puts changed settings into force; it throws before it has changed anything. */
  onChange(apply: (config: Config) => Promise<void>): void
  /** Reads the configuration again here. @throws AppError 400 with the reason; everything is then as it was. */
  reload(): Promise<Reloaded>
  /** The same, and every other process of the installation reads its own. */
  reloadEverywhere(): Promise<Reloaded>
}

const RELOAD = 'configuration.reload'

export function createSettingsInForce(initial: Config, { events, log }: { events: EventBus; log: Logger }): SettingsInForce {
  const origin = randomUUID()
  const appliers: ((config: Config) => Promise<void>)[] = []
  let config = initial
  let last: Promise<unknown> = Promise.resolve()

  const readAndApply = async (): Promise<Reloaded> => {
    try {
      const changes = changesBetween(config, reread(config))
      if (changes.live.length > 0) for (const apply of appliers) await apply(changes.config)
      config = changes.config
      log.level = config.log.level
      log.info({ applied: changes.live, needsRestart: changes.restart }, 'the configuration was read again')
      return { applied: changes.live, needsRestart: changes.restart }
    } catch (error) {
      const refused = error instanceof ConfigError ? invalidRequest(error.message) : error
      const reason = refused instanceof AppError ? refused.message : 'an unexpected fault'
      log.error({ err: refused, reason }, 'the configuration was read again and refused: the one before stays in force')
      throw refused
    }
  }
  /** One after the other, in the order in which they were asked for. */
  const reload = (): Promise<Reloaded> => {
    const done = last.then(readAndApply)
    last = done.catch(() => undefined)
    return done
  }
  events.listen(RELOAD, (news) => {
    if (news['origin'] !== origin) reload().catch(() => undefined)
  })
  return {
    get config() {
      return config
    },
    onChange: (apply) => void appliers.push(apply),
    reload,
    reloadEverywhere() {
      events.publish(RELOAD, { origin })
      return reload()
    },
  }
}

/** The environment of a process does not change; files that it names do. */
const reread = ({ path, workingDirectory, environment }: Config): Config =>
  loadConfig({ env: Object.fromEntries(environment), workingDirectory, ...(path !== null && { path }) })
