/** iTerm2's inline images, which WezTerm also supports. */
export function iterm2Picture(
  picture: Buffer,
  { columns, rows }: { columns: number; rows?: number },
): string {
  const height = rows === undefined ? '' : `;height=${rows}`;
  const facts = `size=${picture.length};width=${columns}${height};preserveAspectRatio=1;inline=1`;
  return `\u001b]1337;File=${facts}:${picture.toString('base64')}\u0007`;
}
