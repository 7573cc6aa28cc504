/** What the machine behind a GPU session is doing, in words. */
export const SESSION_PHASES = {
  REQUESTED: 'Asking a provider for a machine',
  CREATING: 'A provider makes the machine',
  BOOTING: 'The machine starts',
  LOADING: 'The machine loads the model',
  RUNNING: 'The model is ready',
  STOPPING: 'The machine is being removed',
  TERMINATED: 'The machine is gone',
} as const
