/** What an expansion makes of a variable's text, as far as it matters where the text goes: a name for the call that stands for it. */
const changes: readonly (readonly [string, RegExp])[] = [
  ['%length', /^\$\{#/],
  ['#basename', /^\$\{\w+(?:\[[^\]]{0,60}\])?##\*\/\}$/],
  ['#quoted', /^\$\{\w+(?:\[[^\]]{0,60}\])?@Q\}$/],
  // All but some letters is taken out.
  ['#reduced', /^\$\{\w+(?:\[[^\]]{0,60}\])?\/\/\[[!^](?:\[:\w{1,10}:\]|[^\]/]){1,80}\](?:\/[\w-]?)?\}$/],
  ['#escaped', /^\$\{\w+(?:\[[^\]]{0,60}\])?\/\/["'\\]{0,2}<["']?\/["'\\]{0,2}&lt/],
]

export const changeOf = (text: string): string | null => changes.find(([, form]) => form.test(text))?.[0] ?? null
