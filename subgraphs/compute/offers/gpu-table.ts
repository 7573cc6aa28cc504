/**
 * The GPUs that we know: canonical name and memory.
 *
 * Sources disagree about names and misreport memory (45 or 48 GB for one card), so memory comes from this table alone and a
 * name that is not in it goes to quarantine. Figures are the vendors' data sheets, gigabytes per GPU.
 */

const VRAM_GB: Readonly<Record<string, number>> = {
  A10: 24,
  'A100-40GB': 40,
  'A100-80GB': 80,
  A40: 48,
  B200: 180,
  B300: 270,
  H100: 80,
  'H100-NVL': 94,
  H200: 141,
  L4: 24,
  L40: 48,
  L40S: 48,
  MI300X: 192,
  'RTX-3060': 12,
  'RTX-3090': 24,
  'RTX-4090': 24,
  'RTX-5090': 32,
  'RTX-6000-Ada': 48,
  'RTX-A5000': 24,
  'RTX-A6000': 48,
  'RTX-PRO-6000': 96,
  T4: 16,
  V100: 16,
}

const byKey = new Map(Object.keys(VRAM_GB).map((name) => [keyOf(name), name]))

/** Other spellings that providers use, after `keyOf`. */
const ALIASES: Readonly<Record<string, string>> = {
  a100: 'A100-80GB',
  a10040: 'A100-40GB',
  a10080: 'A100-80GB',
  a100pcie: 'A100-80GB',
  a100sxm: 'A100-80GB',
  a100sxm4: 'A100-80GB',
  a100sxm480gb: 'A100-80GB',
  a100pcie80gb: 'A100-80GB',
  h100sxm: 'H100',
  h100sxm5: 'H100',
  h100pcie: 'H100',
  h10080gbhbm3: 'H100',
  h200sxm: 'H200',
  b200sxm: 'B200',
  b300sxm: 'B300',
  rtx6000ada: 'RTX-6000-Ada',
  rtx6000adageneration: 'RTX-6000-Ada',
  a5000: 'RTX-A5000',
  a6000: 'RTX-A6000',
  rtxpro6000: 'RTX-PRO-6000',
  rtxpro6000ws: 'RTX-PRO-6000',
  rtxpro6000s: 'RTX-PRO-6000',
  teslat4: 'T4',
  teslav100: 'V100',
}

function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/nvidia|geforce|tesla|amd|instinct/g, '')
    .replace(/[^a-z0-9]/g, '')
}

/** The canonical name and memory of a provider's GPU name; null for a GPU that we do not know. */
export function knownGpu(name: string): { gpuModel: string; vramGb: number } | null {
  const key = keyOf(name)
  const gpuModel = byKey.get(key) ?? (Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined)
  return gpuModel === undefined ? null : { gpuModel, vramGb: VRAM_GB[gpuModel] ?? 0 }
}
