export function withYoungClosures(code: string): string
