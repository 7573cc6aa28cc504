/** The request that would be sent next, as a program would send it. */
import { Tabs } from '@base-ui/react/tabs'
import type { ChatCompletionInput } from '../../../generated/console.js'
import { CodeBlock } from '../../ui/code-block.js'
import { codeSample, LANGUAGES } from './code-samples.js'

export const CodePanel = ({ input }: { readonly input: ChatCompletionInput }) => (
  <Tabs.Root defaultValue={LANGUAGES[0]} className="grid min-w-0 gap-3 p-4">
    <Tabs.List className="flex gap-1" aria-label="Language">
      {LANGUAGES.map((language) => (
        <Tabs.Tab
          key={language}
          value={language}
          className="h-7 rounded-md px-2.5 text-xs font-medium text-muted hover:bg-hover data-active:bg-hover data-active:text-ink"
        >
          {language}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {LANGUAGES.map((language) => (
      <Tabs.Panel key={language} value={language} className="min-w-0">
        <CodeBlock code={codeSample(language, location.origin, input)} what={`the request in ${language}`} />
      </Tabs.Panel>
    ))}
    <p className="text-xs text-muted">The same request, for a program with an API key in SLUICE_API_KEY.</p>
  </Tabs.Root>
)
