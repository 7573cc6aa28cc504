/** What is filled in to rent a GPU, as texts, and the request that comes of it. */
import type { RentGpuInput } from '../../../generated/console-gpus.js'
import type { Fault } from '../../graph/faults.js'
import type { Kind } from '../gpus-search.js'
import type { OfferRow } from '../offers/offers.js'

export interface RentForm {
  readonly gpuModel: string
  /** Empty for any. */
  readonly providerId: string
  readonly region: string
  readonly spot: Kind | 'any'
  readonly modelId: string
  readonly fineTuned: boolean
  readonly dockerImage: string
  readonly sshKey: string
  readonly label: string
  readonly maxPricePerGpuHour: string
}

export const formFor = (offer: OfferRow | null): RentForm => ({
  gpuModel: offer?.gpuModel ?? '',
  providerId: offer?.providerId ?? '',
  region: offer?.region ?? '',
  spot: offer === null ? 'any' : offer.spot ? 'spot' : 'demand',
  modelId: '',
  fineTuned: false,
  dockerImage: '',
  sshKey: '',
  label: '',
  maxPricePerGpuHour: '',
})

/** The fields are named as the input's are. */
export const rentInput = ({ gpuModel, spot, fineTuned, ...texts }: RentForm): RentGpuInput => {
  const given = Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]]))
  return {
    gpuModel,
    ...(Object.fromEntries(given) as Partial<RentGpuInput>),
    ...(spot !== 'any' && { spot: spot === 'spot' }),
    ...(fineTuned && { fineTuned }),
  }
}

/** Without a GPU and something to do for it there is nothing to ask. */
export const isAskable = ({ gpuModel, modelId, dockerImage, sshKey }: RentForm): boolean =>
  gpuModel !== '' && [modelId, dockerImage, sshKey].some((text) => text.trim() !== '')

/** What is wrong with one field, and what is wrong with none of them. */
export function faultsOf(
  fault: Fault | null,
  form: RentForm,
): { readonly at: (name: keyof RentForm) => string | null; readonly other: Fault | null } {
  const param = fault?.param
  const isOfField = param !== undefined && Object.hasOwn(form, param)
  return { at: (name) => (isOfField && name === param ? (fault?.message ?? null) : null), other: isOfField ? null : fault }
}
