/** The limits of the configuration, in the words and units of the parts that keep them. */
import type { DatabaseLimits } from '#platform/database/database-limits.js'
import type { ChatLimits, StoredResponseLimits } from '../../subgraphs/inference/index.js'
import type { Config } from '../config/config.js'

export const databaseLimits = ({ database }: Config): DatabaseLimits => ({
  connectMs: database.connect_seconds * 1000,
  statementMs: database.statement_seconds * 1000,
  lockMs: database.lock_seconds * 1000,
  idleTransactionMs: database.idle_transaction_seconds * 1000,
})

export const ledgerLimits = ({ ledger }: Config) => ({
  retryMs: ledger.retry_seconds * 1000,
  waiting: ledger.waiting_operations,
  unsettled: ledger.unsettled_outcomes,
  closeMs: ledger.close_seconds * 1000,
  reclaimMs: ledger.reclaim_seconds * 1000,
})

export const chatLimits = ({ limits }: Config): Partial<ChatLimits> => ({
  requestTimeMs: limits.request_seconds * 1000,
  connectTimeMs: limits.connect_seconds * 1000,
  firstByteTimeMs: limits.first_byte_seconds * 1000,
  idleTimeMs: limits.idle_seconds * 1000,
  stalledReaderTimeMs: limits.stalled_reader_seconds * 1000,
  connectionsPerProvider: limits.provider_connections,
  responseBytes: limits.answer_bytes,
  eventBytes: limits.event_bytes,
  answerScanMs: limits.answer_scan_seconds * 1000,
  messages: limits.messages,
  jsonDepth: limits.json_depth,
  jsonValues: limits.json_values,
})

export const storedResponseLimits = ({ responses }: Config): StoredResponseLimits => ({
  keepDays: responses.keep_days,
  conversationSize: responses.conversation_characters,
  accountSize: responses.account_characters,
})
