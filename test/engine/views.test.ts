/** Views of Rails: their Ruby is read where it stands, and what they show escaped stays silent. */
import { afterAll, describe, expect, it } from 'vitest'
import { createScanner } from '../../subgraphs/compliance/engine/index.js'
import { rubyOfErb } from '../../subgraphs/compliance/engine/syntax/erb.js'

const scanner = createScanner({ analyzers: 1 })
afterAll(() => scanner.close())

async function linesOf(code: string, filename = 'app/views/notes/show.html.erb'): Promise<number[]> {
  const [result] = await scanner.scan([{ code, language: 'ruby', filename }])
  return result?.violations.filter(({ ruleId }) => ruleId === 'rb-xss').map(({ line }) => line) ?? []
}

describe('views of Rails', () => {
  it('keeps the length and the lines of what it reads', () => {
    const view = '<h1>é <%= @title -%></h1>\n<%# note\n %><% if a %>\n<%== b %><%% c %>\n<%- end -%>\n'
    const ruby = rubyOfErb(view)
    expect(ruby).toHaveLength(view.length)
    expect(ruby.split('\n')).toHaveLength(view.split('\n').length)
    expect(ruby.replaceAll(/[ \n]+/g, ' ').trim()).toBe('@title ; if a ; raw( b ); end ;')
  })

  it.each([
    '<p><%== params[:note] %></p>',
    '<p><%= raw params[:note] %></p>',
    '<p><%= params[:note].html_safe %></p>',
    '<% if @open %><script>var q = "<%= raw(params[:q]) -%>"</script><% end %>',
    '<%= link_to "site", params[:url] %>',
    '<%= form_with model: @note do |f| %><%= params[:hint].html_safe %><% end %>',
  ])('finds what is shown as it was sent: %s', async (view) => {
    expect(await linesOf(`<h1>Notes</h1>\n${view}\n`)).toEqual([2])
  })

  it.each([
    '<p><%= params[:note] %></p>',
    '<p><%= sanitize params[:note] %></p>',
    '<p><%# raw params[:note] %></p>',
    '<p><%%= raw params[:note] %></p>',
    '<p>raw params[:note]</p>',
    '<%= link_to "site", note_path(params[:id]) %>',
  ])('says nothing of what is escaped: %s', async (view) => {
    expect(await linesOf(`<h1>Notes</h1>\n${view}\n`)).toEqual([])
  })
})
