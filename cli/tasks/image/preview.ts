import type { Context } from '../../context.ts';

type Preview = Pick<Context, 'environment' | 'output' | 'io'>;

const COLUMNS = 40;
/** The protocol's limit. */
const PIECE_LENGTH = 4096;

/** Shows an image where the terminal can; elsewhere nothing. */
export function showPicture({ environment, output, io }: Preview, picture: Buffer, format: string): void {
  const pictures = pictureProtocol(environment.env);
  if (!io.stdout.isTTY || output.json || output.quiet || pictures === undefined) return;
  if (pictures === 'iterm2') io.stdout.write(`${forIterm2(picture)}\n`);
  else if (format === 'png') io.stdout.write(`${forKitty(picture)}\n`);
}

/** The image protocol of the terminal, from its environment. None inside tmux and screen. */
function pictureProtocol(env: Context['environment']['env']): 'kitty' | 'iterm2' | undefined {
  const { TERM: term = '', TERM_PROGRAM: program = '' } = env;
  if (env['TMUX'] || env['STY'] || /^(tmux|screen|dumb)/.test(term)) return undefined;
  if (env['KITTY_WINDOW_ID'] || /kitty|ghostty/.test(`${term} ${program}`)) return 'kitty';
  if (['iTerm.app', 'WezTerm'].includes(program) || env['LC_TERMINAL'] === 'iTerm2') return 'iterm2';
  return undefined;
}

/** The kitty graphics protocol, which ghostty supports too: a PNG in chunks, all but the last with `m=1`. */
export function forKitty(png: Buffer): string {
  const text = png.toString('base64');
  const pieces = text.match(new RegExp(`.{1,${PIECE_LENGTH}}`, 'g')) ?? [];
  return pieces
    .map((piece, index) => {
      const first = index === 0 ? `a=T,f=100,c=${COLUMNS},` : '';
      return `\u001b_G${first}q=2,m=${index === pieces.length - 1 ? 0 : 1};${piece}\u001b\\`;
    })
    .join('');
}

/** iTerm2's inline images, which WezTerm supports too. */
export function forIterm2(picture: Buffer): string {
  const facts = `size=${picture.length};width=${COLUMNS};preserveAspectRatio=1;inline=1`;
  return `\u001b]1337;File=${facts}:${picture.toString('base64')}\u0007`;
}
