export interface Part {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly license: string
  readonly folder: string
  readonly isBundled: boolean
}
export function packagesOf(moduleIds: Iterable<string>): string[]
export function partsOf(root: string): Part[]
