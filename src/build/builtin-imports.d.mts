export function withBuiltinModules(code: string): string
