/** What `sluice scan` can print its results as; the formats themselves are loaded with the scan. */
export const SCAN_FORMATS = ['text', 'json', 'sarif', 'junit', 'gitlab'] as const
export type ScanFormat = (typeof SCAN_FORMATS)[number]
