/** `limits`: what callers and providers may send, and how long everything may take. */
import { z } from 'zod'
import { count, seconds } from './values.js'

export const limitsConfig = z.strictObject({
  body_bytes: count(10 * 1024 * 1024),
  /** Of bodies that hold names and little else, such as a request for a rental. */
  small_body_bytes: count(64 * 1024),
  header_bytes: count(16 * 1024),
  /** From the first byte of a request to the last byte of its headers. */
  header_seconds: seconds(20),
  /** Checked by a recursion of that depth. */
  json_depth: z.int().positive().max(1_000).default(64),
  messages: count(4096),
  /** Bodies above it are read only when there is room, and in a thread of their own. */
  large_body_bytes: count(256 * 1024),
  large_body_account_bytes: count(64 * 1024 * 1024),
  large_body_total_bytes: count(512 * 1024 * 1024),
  large_body_account_waiting: count(256),
  large_body_wait_seconds: seconds(10),
  json_values: count(250_000),
  /** From the first byte of a request to the last byte of its body. */
  body_seconds: seconds(60),
  request_seconds: seconds(120),
  /** The most that `Prefer: wait` holds a connection; a model that starts takes minutes, and proxies in between lose patience. */
  prefer_wait_seconds: seconds(100),
  /** How long the end of a stream waits for what the scanner says about its code (`Sluice-Scan`). */
  answer_scan_seconds: seconds(0.3),
  connect_seconds: seconds(5),
  first_byte_seconds: seconds(60),
  idle_seconds: seconds(30),
  stalled_reader_seconds: seconds(60),
  keep_alive_seconds: seconds(75),
  provider_connections: count(1024),
  /** Of one whole answer of a provider, and of one event of a stream. */
  answer_bytes: count(64 * 1024 * 1024),
  event_bytes: count(8 * 1024 * 1024),
  drain_seconds: z.number().nonnegative().max(3_600).default(5),
  shutdown_seconds: seconds(120),
  /** Sessions of one process: the one that was used longest ago is forgotten. */
  mcp_sessions: count(1_000),
  mcp_idle_seconds: seconds(1_800),
  /** Models in the list of one key. */
  key_models: count(500),
  /** The longest that a key may go on after another has taken its place. */
  key_grace_seconds: count(30 * 86_400),
})
