import { z } from 'zod'
import { decimal, time } from '../edge/openapi/shapes.js'
import { decimalValue } from '../edge/input.js'
/** As `OfferFields` asks for it. */
export const offerFields = {
  gpu_model: z.string().meta({ description: "The GPU, such as \"H100\"." }),
  vram_gb: z.int().meta({ description: "Memory of one GPU in gigabytes." }),
  gpu_count: z.int().meta({ description: "The smallest number of GPUs that is sold together." }),
  provider_id: z.string().meta({ description: "The routing identifier of the provider: opaque, stable, not a brand." }),
  region: z.string().meta({ description: "Where the GPU is." }),
  price_per_gpu_hour: decimal.meta({ description: "USD per GPU and hour." }),
  interruption_probability: z.number().meta({ description: "How likely it is taken away within 30 days, 0 to 1." }),
  interruption_origin: z.enum(["observed", "on_demand", "prior", "published"]).meta({ id: "InterruptionOrigin" }).meta({ description: "Where that probability comes from." }),
  spot: z.boolean().meta({ description: "Whether the provider may take it away." }),
  fetched_at: time.meta({ description: "When the provider, or the catalogue file, stated this." }),
}

/** As `RentalFields` asks for it. */
export const rentalFields = {
  id: z.string().meta({ description: "Such as rent_...; `rental_id` of the REST API." }),
  label: z.string().nullable().meta({ description: "The name that whoever rented it gave it." }),
  status: z.enum(["provisioning", "running", "terminated"]).meta({ id: "RentalStatus" }).meta({ description: "Whether it can be used, and so is billed." }),
  phase: z.enum(["booting", "creating", "loading", "requested", "running", "stopping", "terminated"]).meta({ id: "SessionPhase" }).meta({ description: "What the machine is doing." }),
  termination_reason: z.enum(["credits_exhausted", "failed", "idle", "interrupted", "not_started", "no_capacity", "offer_unavailable", "timeout", "unhealthy", "user"]).meta({ id: "TerminationReason" }).nullable().meta({ description: "Why it ended; null while it has not." }),
  gpu_model: z.string().meta({ description: "The GPU, such as \"L4\"." }),
  vram_gb: z.int().meta({ description: "Memory of one GPU in gigabytes." }),
  gpu_count: z.int().meta({ description: "How many GPUs." }),
  provider_id: z.string().meta({ description: "The routing identifier of the provider." }),
  region: z.string().meta({ description: "Where the GPU is." }),
  spot: z.boolean().meta({ description: "Whether the provider may take it away." }),
  interruption_probability: z.number().meta({ description: "How likely that was within 30 days when it was rented, 0 to 1." }),
  price_per_gpu_hour: decimal.meta({ description: "USD per GPU and hour: the agreed price." }),
  price_per_hour: decimal.meta({ description: "USD per hour for all its GPUs." }),
  cost: decimal.meta({ description: "USD billed so far; final once terminated." }),
  hold: decimal.meta({ description: "USD set aside for it: the most it can cost before the next top-up; 0 once terminated." }),
  model_id: z.string().nullable().meta({ description: "The model it serves." }),
  docker_image: z.string().nullable().meta({ description: "The image it runs; null for the provider's own." }),
  fine_tuned: z.boolean().meta({ description: "Whether it serves a fine-tuned variant." }),
  endpoint: z.string().nullable().meta({ description: "Base URL of what it serves, ending in /v1, while it runs." }),
  endpoint_key: z.string().nullable().meta({ description: "The bearer key that its endpoint demands, while it runs." }),
  ssh_host: z.string().nullable().meta({ description: "Host for SSH, while it runs and when a key was given." }),
  ssh_port: z.int().nullable().meta({ description: "Port for SSH." }),
  estimated_ready_seconds: z.int().nullable().meta({ description: "Seconds until it probably runs; only while provisioning." }),
  created_at: time.meta({ description: "When it was asked for." }),
  started_at: time.nullable().meta({ description: "When it began to run and to be billed." }),
  terminated_at: time.nullable().meta({ description: "When it ended for its owner." }),
}

/** As `CreditFields` asks for it. */
export const creditFields = {
  balance: decimal.meta({ description: "Credits in USD, holds included." }),
  held: decimal.meta({ description: "USD reserved by what is under way." }),
  available: decimal.meta({ description: "USD that a new request may use: balance less holds." }),
  monthly_cap: decimal.nullable().meta({ description: "Most USD that may be spent in a calendar month (UTC); null for no cap." }),
  spent_this_month: decimal.meta({ description: "USD spent in this calendar month (UTC)." }),
}

/** As `RentGpuInput` takes it. */
export const rentGpuInput = {
  docker_image: z.string().nullish().meta({ description: "An image to run." }),
  fine_tuned: z.boolean().nullish().meta({ description: "The model is a fine-tuned variant; the machine is set up for it." }),
  gpu_model: z.string().meta({ description: "The GPU, such as \"L4\", as in the offers." }),
  label: z.string().nullish().meta({ description: "A name of your own for the rental: 1 to 100 characters on one line." }),
  max_price_per_gpu_hour: decimalValue.nullish().meta({ description: "The most that one GPU may cost, USD per hour." }),
  model_id: z.string().nullish().meta({ description: "A model to serve." }),
  provider_id: z.string().nullish().meta({ description: "Only this provider; the cheapest when left out." }),
  region: z.string().nullish().meta({ description: "Only this region; the cheapest when left out." }),
  spot: z.boolean().nullish().meta({ description: "Only an offer that the provider may take away, or only one that it may not; the cheapest when left out." }),
  ssh_key: z.string().nullish().meta({ description: "One public SSH key in OpenSSH format; the machine then accepts it." }),
}