/** An answer's Markdown. HTML in it is shown as text; links leave the console. */
import type { ComponentProps, ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from '../../ui/code-block.js'

const PLUGINS = [remarkGfm]

function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textOf).join('')
  return node !== null && typeof node === 'object' && 'props' in node
    ? textOf((node.props as { children?: ReactNode }).children)
    : ''
}

const COMPONENTS = {
  pre: ({ children }: ComponentProps<'pre'>) => <CodeBlock code={textOf(children).replace(/\n$/, '')} what="the code" />,
  a: ({ children, href }: ComponentProps<'a'>) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  /** A picture would be asked for at another host. */
  img: ({ alt, src }: ComponentProps<'img'>) => <span>{alt || src}</span>,
}

export const Markdown = ({ text }: { readonly text: string }) => (
  <div className="prose">
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} skipHtml={false}>
      {text}
    </ReactMarkdown>
  </div>
)
