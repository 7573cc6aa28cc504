export function withPlainImports(code: string): string
