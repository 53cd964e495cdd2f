export function libraries(): Promise<Map<string, string>>;
export function isCompressed(file: string): boolean;
