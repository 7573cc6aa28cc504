/**
 * Compliance: scans over the engine, behind an account's limits.
 *
 * Owns the scans (what was asked, how far it is, what was found; never the code), the checks of code in answers, the rate limits
 * of an account, and the rules and the scanner's state as the graph shows them. What finds violations is the engine, a room of its own with its own door.
 */
export { complianceConfig, complianceOptions } from './compliance-config.js'
export { createComplianceSubgraph, type ComplianceSubgraph } from './compliance-subgraph.js'
export type { ScanAccountsPort } from './ports.js'
export { complianceEntities } from './scans/scan.js'
