/**
 * The same flows in every language: direct, through a variable, text building, a function of the file, branches, loops, a
 * collection, a lambda, and the safe counterparts. A line that must be reported ends in `BAD`.
 */
import { describe, expect, it } from 'vitest'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { reachedLines } from './kit.js'

const samples: Record<Language, string> = {
  javascript: `
const helper = (v) => 'x' + v
function pass(v) { return v }
function sinkInside(v) { sink(v) } // BAD
function main(list) {
  sink(source()) // BAD
  const a = source(); let b = \`text \${a} end\`
  sink(b) // BAD
  sink(helper(a)) // BAD
  sink(pass(a)) // BAD
  sink(clean(a))
  sinkInside(a)
  let c = 'constant'; if (list.length) { c = a } else { c = 'other' }
  sink(c) // BAD
  c = 'again'
  sink(c)
  for (const one of [a, 'x']) { sink(one) } // BAD
  const object = { k: a, safe: 'x' }
  sink(object.k) // BAD
  sink(object.safe)
  const { k, safe } = object
  sink(k) // BAD
  sink(safe)
  const { m = 'x', k: { inner = 'y' } = {} } = source()
  sink(m) // BAD
  list.forEach((e) => sink(e + a)) // BAD
  const parts = []; parts.push('a'); parts.push(a)
  sink(parts.join(',')) // BAD
  const d = list ? a : 'x'
  sink(d) // BAD
  const f = false ? a : 'x'
  sink(f)
  if (!/^[a-z]+$/.test(a)) return
  sink(a)
}
class Box { constructor(v) { this.v = v } open() { sink(this.v) } } // BAD
new Box(source()).open()
try { sink('x') } catch (e) { sink(source()) } // BAD
`,
  typescript: `
function pass(v: string): string { return v }
export class Box {
  private value: string = ''
  constructor(private readonly db: Db) {}
  async set(@Query() q: string): Promise<void> {
    this.value = source() as string
    await this.db.sink(this.value) // BAD
    const n: number = source()
    sink(n)
    sink(pass(source()!)) // BAD
    sink(clean(pass(source())))
  }
}
enum E { A = 1 }
const f = <T,>(x: T): T => x
sink(f(source())) // BAD
`,
  python: `
def pass_on(v):
    return v
def sink_inside(v):
    sink(v) # BAD
def main(items):
    sink(source()) # BAD
    a = source()
    b = f"text {a} end"
    sink(b) # BAD
    sink("x %s" % a) # BAD
    sink(pass_on(a)) # BAD
    sink(clean(a))
    sink_inside(a)
    c = 'x'
    if items:
        c = a
    elif items is None:
        c = 'y'
    else:
        c = 'z'
    sink(c) # BAD
    c = 'again'
    sink(c)
    for i, one in enumerate([a]):
        sink(one) # BAD
    d = {'k': a, 'safe': 'x'}
    sink(d['k']) # BAD
    sink(d['safe'])
    e = [x.strip() for x in a.split(',') if x]
    sink(e) # BAD
    x, y = a, 'safe'
    sink(x) # BAD
    sink(y)
    with open(a) as handle:
        sink(handle.read()) # BAD
    try:
        sink('x')
    except ValueError as err:
        sink(err)
    finally:
        sink(a) # BAD
    n = int(a) if a.isdigit() else 0
    g = a if items else 'x'
    sink(g) # BAD
    match items:
        case 'a':
            h = a
        case _:
            h = 'x'
    sink(h) # BAD
    if a not in ('x', 'y'):
        return
    sink(a)
class Box:
    def __init__(self, v):
        self.v = v
    def open(self):
        sink(self.v) # BAD
Box(source()).open()
run = lambda q: sink(q + source()) # BAD
`,
  java: `
package a.b;
import java.util.*;
public class Main {
  private String field;
  static String pass(String v) { return v; }
  void sinkInside(String v) { sink(v); } // BAD
  void run(List<String> list, int number) throws Exception {
    sink(source()); // BAD
    String a = source(), b = "text " + a + " end";
    sink(b); // BAD
    sink(pass(a)); // BAD
    sink(Main.pass(a)); // BAD
    sink(clean(a));
    sinkInside(a);
    String c = "x";
    if (number > 1) { c = a; } else { c = "y"; }
    sink(c); // BAD
    c = "z";
    sink(c);
    for (String one : Arrays.asList(a)) { sink(one); } // BAD
    for (int i = 0; i < 3; i++) sink(a); // BAD
    StringBuilder builder = new StringBuilder();
    builder.append("x").append(a);
    sink(builder.toString()); // BAD
    Map<String, String> map = new HashMap<>();
    map.put("k", a); map.put("safe", "x");
    sink(map.get("k")); // BAD
    sink(map.get("safe"));
    String d;
    switch ("A") { case "A": d = "safe"; break; default: d = a; }
    sink(d);
    switch (number) { case 1: d = a; break; case 2: d = "x"; break; default: d = "y"; }
    sink(d); // BAD
    String e = number > 3 ? a : "x";
    sink(e); // BAD
    list.stream().map(x -> x + a).forEach(y -> sink(a)); // BAD
    try (Reader r = open(a)) { sink(r.read()); } catch (IOException | Error ex) { sink(ex); } finally { sink(a); } // BAD
    int n = Integer.parseInt(a);
    this.field = a;
    sink(this.field); // BAD
    sink(field); // BAD
    new Thread() { public void run() { sink(source()); } }; // BAD
    if (!a.matches("[a-z]+")) { throw new Exception("x"); }
    sink(a);
  }
}
`,
  go: `
package main
import ("fmt"; "net/http")
type Box struct { v string }
func pass(v string) string { return v }
func two(v string) (string, error) { return v, nil }
func sinkInside(v string) { sink(v) } // BAD
func (b *Box) Set() { b.v = source() }
func (b *Box) Run() { sink(b.v) } // BAD
func run(w http.ResponseWriter, r *http.Request) {
  sink(source()) // BAD
  a := source()
  b := fmt.Sprintf("x %s", a)
  sink(b) // BAD
  sink(pass(a)) // BAD
  t, err := two(a)
  sink(t) // BAD
  sink(err)
  sink(clean(a))
  sinkInside(a)
  var c string
  if len(a) > 3 { c = a } else if x := 3; x > 2 { c = "y" } else { c = "z" }
  sink(c) // BAD
  c = "x"
  sink(c)
  for _, one := range []string{a} { sink(one) } // BAD
  for i := 0; i < 3; i++ { sink(a + "x") } // BAD
  m := map[string]string{"k": a, "safe": "x"}
  sink(m["k"]) // BAD
  sink(m["safe"])
  s := Box{v: a}
  sink(s.v) // BAD
  switch w { case nil: c = a; default: c = "x" }
  sink(c) // BAD
  go func(v string) { sink(v) }(a) // BAD
  f := func() { sink(a) } // BAD
  f()
  sink([]byte(a)) // BAD
}
`,
  csharp: `
using System;
namespace N {
  [ApiController]
  public class C : Controller {
    private string field = "x";
    public string Prop { get; set; }
    static string Pass(string v) => v;
    void SinkInside(string v) { sink(v); } // BAD
    [HttpGet("{id}")]
    public async Task<IActionResult> Run([FromQuery] string id, int number) {
      sink(source()); // BAD
      var a = source(); string b = $"text {a:x} end", q = "x" + a;
      sink(b); // BAD
      sink(q); // BAD
      sink(Pass(a)); // BAD
      sink(clean(a));
      SinkInside(a);
      string c = "x";
      if (number > 1) { c = a; } else { c = "y"; }
      sink(c); // BAD
      c = "z";
      sink(c);
      foreach (var one in new List<string> { a }) { sink(one); } // BAD
      var cmd = new Command("x") { Text = a };
      sink(cmd.Text); // BAD
      cmd.dangerous = a; // BAD
      var e = number > 3 ? a : "x";
      sink(e); // BAD
      var s = number switch { 1 => a, _ => "x" };
      sink(s); // BAD
      switch (number) { case 1: c = a; break; default: c = "x"; break; }
      sink(c); // BAD
      list.Select(x => x + a).ForEach(y => { sink(a); }); // BAD
      using (var r = open(a)) { sink(r?.Read()); } // BAD
      try { f(); } catch (Exception ex) { sink(ex); } finally { sink(a); } // BAD
      this.field = a;
      sink(field); // BAD
      var n = int.Parse(a);
      await obj.sink(@"raw" + a); // BAD
      return Ok();
    }
  }
}
`,
  php: `
<?php
function pass($v) { return $v; }
function sinkInside($v) { sink($v); } // BAD
class Box { private $v; function __construct($v) { $this->v = $v; } function open() { sink($this->v); } } // BAD
$box = new Box(source());
sink(source()); // BAD
$a = source();
$b = "text $a end {$a}";
sink($b); // BAD
sink(pass($a)); // BAD
sink(clean($a));
sinkInside($a);
if ($x) { $c = $a; } elseif ($y) { $c = 'y'; } else { $c = 'z'; }
sink($c); // BAD
$c = 'x' . 'y';
sink($c);
$c .= $a;
sink($c); // BAD
foreach ([$a] as $k => $one) { sink($one); } // BAD
$arr = ['k' => $a, 'safe' => 'x'];
sink($arr['k']); // BAD
sink($arr['safe']);
list($l, $m) = [$a, 'x'];
sink($l); // BAD
sink($m);
$f = function($v) use ($a) { sink($a); }; // BAD
$f(1);
$g = fn($v) => sink($v . $a); // BAD
$n = (int) $a;
sink($n);
$d = $x ? $a : 'x';
sink($d); // BAD
switch ($x) { case 'a': $e = $a; break; default: $e = 'x'; }
sink($e); // BAD
$obj->sink($a); // BAD
Foo::sink($a); // BAD
$h = <<<EOT
text $a
EOT;
sink($h); // BAD
try { f(); } catch (E $e) { sink($a); } // BAD
sink($SOURCE); // BAD
if (!in_array($a, ['x', 'y'])) { exit; }
sink($a);
?>
<b><?php sink(source()) ?></b> <!-- BAD -->
`,
  ruby: `
def pass(v) v end
def sink_inside(v)
  sink(v) # BAD
end
class Box < Base
  def initialize(v)
    @v = v
  end
  def open
    sink(@v) # BAD
  end
end
Box.new(source())
def run(list, opts = {})
  sink(source()) # BAD
  a = source()
  b = "text #{a} end"
  sink b # BAD
  sink(pass(a)) # BAD
  sink(clean(a))
  sink_inside(a)
  c = if list then a else 'x' end
  sink(c) # BAD
  c = 'x'
  sink(c)
  c << a
  sink(c) # BAD
  [a].each do |one|
    sink(one) # BAD
  end
  [a].each { |one| sink(one) } # BAD
  h = { k: a, 'safe' => 'x' }
  sink(h[:k]) # BAD
  sink(h['safe'])
  x, y = a, 'x'
  sink(x) # BAD
  sink(y)
  case list when 'a' then d = a else d = 'x' end
  sink(d) # BAD
  sink(a) unless list # BAD
  begin
    f
  rescue Error => e
    sink(e)
  ensure
    sink(a) # BAD
  end
  obj.sink(key: a) # BAD
  t = <<~SQL
    select #{a}
  SQL
  sink(t) # BAD
  g = list ? a : 'x'
  sink(g) # BAD
  return unless %w[a b].include?(a)
  sink(a)
end
`,
  swift: `
import Foundation
func pass(_ v: String) -> String { return v }
func sinkInside(_ v: String) { sink(v) } // BAD
class Box {
  var v: String
  init(v: String) { self.v = v }
  func open() { sink(self.v) } // BAD
}
let box = Box(v: source())
func run(list: [String], number: Int) throws {
  sink(source()) // BAD
  let a = source(), b = "text \\(a) end"
  var late = "x"
  defer { late = a }
  sink(late)
  let kind = source()
  precondition(kind == "a", "odd")
  sink("x" + obj.source()) // BAD
  sink(kind)
  sink(b) // BAD
  sink(pass(a)) // BAD
  sink(clean(a))
  sinkInside(a)
  var c = "x"
  if number > 1 { c = a } else if number > 2 { c = "y" } else { c = "z" }
  sink(c) // BAD
  c = "x"
  sink(c)
  for one in [a] { sink(one) } // BAD
  let d = ["k": a, "safe": "x"]
  sink(d["k"]!) // BAD
  sink(d["safe"])
  if let e = a as? String, number > 1 { sink(e) } // BAD
  guard let g = optional(a) else { return }
  sink(g) // BAD
  let h = number > 3 ? a : "x"
  sink(h) // BAD
  switch number { case 1: c = a; default: c = "x" }
  sink(c) // BAD
  list.map { $0 + a }.forEach { y in sink(a) } // BAD
  do { try f() } catch { sink(a) } // BAD
  obj.sink(value: a + "x") // BAD
  try db.sink(a) // BAD
  box.dangerous = a // BAD
}
`,
  kotlin: `
package a.b
import x.y.Z as Q
fun pass(v: String): String = v
fun sinkInside(v: String) { sink(v) } // BAD
class Box(private val v: String) : Base() {
  fun open(w: String = "x") {
    val a = source()
    this.f = a
    sink(this.f) // BAD
  }
}
fun run(list: List<String>, number: Int) {
  sink(source()) // BAD
  val a = source()
  val b = "text $a \${a.length} end"
  sink(b) // BAD
  sink(pass(a)) // BAD
  sink(clean(a))
  sinkInside(a)
  var c = "x"
  if (number > 1) { c = a } else if (number > 2) { c = "y" } else { c = "z" }
  sink(c) // BAD
  c = "x"
  sink(c)
  for (one in listOf(a)) { sink(one) } // BAD
  val m = mapOf("k" to a)
  sink(m["k"]) // BAD
  val e = if (number > 3) a else "x"
  sink(e) // BAD
  val w = when (number) { 1 -> a
    else -> "x" }
  sink(w) // BAD
  a?.let { sink(it) } // BAD
  list.map { it + a }.forEach { y -> sink(a) } // BAD
  try { f() } catch (ex: Exception) { sink(ex) } finally { sink(a) } // BAD
  obj.sink(value = a + "x") // BAD
  obj!!.x.dangerous = a // BAD
  sink(a ?: "x") // BAD
  sink("""raw $a""") // BAD
}
fun late(list: List<String>): String {
  val a = source()
  val t = buildString { append("x"); append(a) }
  sink(t) // BAD
  val q = Query().apply { add(a) }
  sink(q) // BAD
  with(Writer()) { sink(a) } // BAD
  return sink(a).first().trim() // BAD
}
`,
  rust: `
use std::process::{Command, self as p};
fn pass(v: &str) -> String { v.to_string() }
fn sink_inside(v: &str) { sink(v); } // BAD
struct Box { v: String }
impl Box {
    fn new(v: String) -> Self { Box { v } }
    fn open(&self) { sink(&self.v); }
}
fn run(list: Vec<String>, number: i32) -> Result<(), E> {
    sink(source()); // BAD
    let a = source();
    let b = format!("text {} end", a);
    sink(&b); // BAD
    sink(format!("text {a}")); // BAD
    sink(pass(&a)); // BAD
    sink(clean(&a));
    sink_inside(&a);
    let mut c = "x".to_string();
    if number > 1 { c = a.clone(); } else { c = "y".to_string(); }
    sink(&c); // BAD
    c = "x".to_string();
    sink(&c);
    c.push_str(&a);
    sink(&c); // BAD
    for one in vec![a.clone()] { sink(one); } // BAD
    let e = if number > 3 { a.clone() } else { "x".into() };
    sink(e); // BAD
    let w = match number { 1 => a.clone(), _ => "x".into() };
    sink(w); // BAD
    if let Some(v) = Some(a.clone()) { sink(v); } // BAD
    match opt(&a) { Ok(v) => sink(v), Err(e) => return Err(e) } // BAD
    let s = Box { v: a.clone() };
    sink(s.v); // BAD
    list.iter().map(|x| x).for_each(|y| sink(&a)); // BAD
    obj.sink(a.parse::<String>()?).await?; // BAD
    unsafe { sink(a); } // BAD
    let kind = source();
    assert!(kind.len() < 9 && kind == "a", "odd {}", kind);
    sink(kind);
    let other = source();
    assert_eq!(other, "b");
    sink(other);
    Ok(())
}
`,
  c: `
#include <stdio.h>
#define LIMIT 10
static char *pass(char *v) { return v; }
static void sink_inside(char *v) { sink(v); } // BAD
static void fill_it(char *b) { fill(b); }
int main(int argc, char **argv) {
  char buf[LIMIT], *p = source(), other[64];
  sink(source()); // BAD
  sink(p); // BAD
  sink(pass(p)); // BAD
  sink(clean(p));
  sink_inside(p);
  fill(buf);
  sink(buf); // BAD
  fill_it(other);
  sink(other); // BAD
  char *c = "x";
  if (argc > 1) { c = p; } else c = "y";
  sink(c); // BAD
  c = "x";
  sink(c);
  if (LIMIT > 20) c = p;
  sink(c);
  for (int i = 0; i < 3; i++) { sink(p + i); } // BAD
  struct S s; s.a = p; s.b = "x";
  sink(s.a); // BAD
  sink(s.b);
  switch (argc) { case 1: c = p; break; case 2: c = "x"; break; default: c = "z"; }
  sink(c); // BAD
  switch (6) { case 6: c = "x"; break; default: c = p; }
  sink(c);
  sink(argc ? p : "x"); // BAD
  sink((char *)p); // BAD
  int n = (int)p;
  while (1) { sink(p); break; } // BAD
  do { sink(&p[1]); } while (0); // BAD
#ifdef X
  sink(p); // BAD
#else
  sink("x");
#endif
  return 0;
}
`,
  cpp: `
#include <string>
namespace n {
std::string pass(const std::string& v) { return v; }
class Box : public Base {
public:
  Box(std::string v) : v_(v) {}
  void open() { sink(v_); } // BAD
private:
  std::string v_;
};
void run(int number, std::vector<std::string> list) {
  sink(source()); // BAD
  auto a = source();
  std::string b = "text " + a;
  sink(b.c_str()); // BAD
  sink(pass(a)); // BAD
  sink(n::clean(a));
  Box box(source());
  std::string c("x");
  if (number > 1) { c = a; } else { c = "y"; }
  sink(c); // BAD
  c = "x";
  sink(c);
  for (const auto& one : {a}) { sink(one); } // BAD
  auto l = [&](int x) { sink(a); }; // BAD
  l(1);
  std::unique_ptr<int> u = std::make_unique<int>(3);
  try { f(); } catch (const std::exception& e) { sink(a); } // BAD
  obj->x.sink(static_cast<std::string>(a)); // BAD
  std::ostringstream s; s << "x" << a;
  char* p = new char[10];
  delete[] p;
}
void Box::late() { sink(source()); } // BAD
}
`,
  scala: `
package a.b
import x.y.{Z => Q, _}
object Main {
  def pass(v: String): String = v
  def sinkInside(v: String) = { sink(v) } // BAD
  def run(list: List[String], number: Int): Unit = {
    sink(source()) // BAD
    val a = source()
    val b = s"text $a \${a.length} end"
    sink(b) // BAD
    sink(pass(a)) // BAD
    sink(clean(a))
    sinkInside(a)
    var c = "x"
    if (number > 1) { c = a } else c = "y"
    sink(c) // BAD
    c = "x"
    sink(c)
    c += a
    sink(c) // BAD
    for (one <- List(a)) { sink(one) } // BAD
    val m = Map("k" -> a)
    sink(m("k")) // BAD
    val e = if (number > 3) a else "x"
    sink(e) // BAD
    val w = number match { case 1 => a
      case _ => "x" }
    sink(w) // BAD
    Some(a) match { case Some(v) => sink(v)  // BAD
      case None => () }
    list.map(x => x + a).foreach { y => sink(a) } // BAD
    try { f() } catch { case ex: Exception => sink(a) } // BAD
    obj.sink(value = a + "x") // BAD
    list.map(_ + a).foreach(sink(_))
    "x" sink a // BAD
    a match { case GET -> Root / "n" / name => sink(name) // BAD
      case POST -> Root / IntVar(id) => sink(id)
      case whole @ Pair(left, right) => sink(left) } // BAD
    sink(a.as[Int])
  }
}
class Box(v: String) extends Base { def open = sink(source()) } // BAD
`,
  bash: `
a=$SOURCE
sink "$a" # BAD
b="text $a end"
sink "$b" # BAD
inner() { sink "x$1"; }
if [ -n "$x" ]; then c=$a; else c=y; fi
sink "$c" # BAD
c=x
sink "$c"
for i in $a; do sink "$i"; done # BAD
while read -r line; do sink "$a"; done < file # BAD
case "$x" in a|b) d=$a ;; *) d=x ;; esac
sink $d # BAD
e=$(echo "$a")
sink "$e" # BAD
sink "\${a:-x}" # BAD
shown() { if [ -n "$1" ]; then echo "$a"; fi; }
sink "$(shown x)" # BAD
early() { printf '%s' "$a"; return 0; }
f=$(early)
sink "$f" # BAD
quiet() { echo "$a" >&2; printf -v g '%s' "$a"; echo x; }
sink "$(quiet)"
own() { local h=$1; echo "$h"; }
sink "$(own x)"
sink "$(( a + 1 ))"
if [[ ! $a =~ ^[0-9]+$ || ! $b =~ ^[0-9]+$ ]]; then exit 1; fi
sink "$a$b"
a=$SOURCE
echo x | sink "$a" # BAD
sink "$a" > out # BAD
( sink "$a" ) # BAD
test -f x && sink "$a" # BAD
sink "$(clean "$a")"
[[ $a =~ ^[a-z]+$ ]] || exit 1
sink "$a"
`,
  sql: `
CREATE PROCEDURE p @a INT AS
BEGIN
  DECLARE @s NVARCHAR(100) = SOURCE();
  SET @s = 'x' + @s;
  EXEC sink @s; -- BAD
  EXEC sink 'x';
  SET @s = 'x' + CONVERT(nvarchar(9), @a) + SOURCE();
  EXEC master..sink @s; -- BAD
  SET @s = 'x' + CAST(SOURCE() AS int) + CASE WHEN SOURCE() = 'b' THEN 'y' ELSE 'z' END;
  EXEC sink @s;
END
GO
CREATE FUNCTION f(t text) RETURNS void AS $$
DECLARE q text;
BEGIN
  q := 'a' || source();
  EXECUTE sink(q); -- BAD
  q := 'a' || t::varchar(9) || source()::text;
  EXECUTE sink(q); -- BAD
  q := CASE WHEN t = 'a' THEN 'b' ELSE source() END;
  EXECUTE sink(q); -- BAD
  EXECUTE sink(source()::bigint);
END;
$$ LANGUAGE plpgsql;
`,
}

describe('dataflow in every language', () => {
  it.each(Object.entries(samples) as [Language, string][])('%s: reports exactly the marked lines', async (language, sample) => {
    const code = sample.trimStart()
    const expected = code.split('\n').flatMap((line, at) => (/\bBAD\b/.test(line) ? [at + 1] : []))
    const actual = [...new Set(await reachedLines(language, code))]
    expect({
      missing: expected.filter((line) => !actual.includes(line)),
      extra: actual.filter((line) => !expected.includes(line)),
    }).toEqual({ missing: [], extra: [] })
  })

  it.each(['\r', '\r\n', 'mixed'])('finds the same lines under line ends %j', async (end) => {
    for (const [language, sample] of Object.entries(samples) as [Language, string][]) {
      const code = sample.trimStart()
      const ends = ['\n', '\r', '\r\n']
      let at = 0
      const other = code.replaceAll('\n', () => (end === 'mixed' ? ends[at++ % 3]! : end))
      expect([language, await reachedLines(language, other)]).toEqual([language, await reachedLines(language, code)])
    }
  })
})
