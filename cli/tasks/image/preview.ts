import { loadSettings } from '../../../src/config/config.ts';
import type { Context } from '../../context.ts';
import { iterm2Picture } from '../../output/pictures/iterm2.ts';
import { kittyPicture } from '../../output/pictures/kitty.ts';
import { protocolOf, type PictureProtocol } from '../../output/pictures/protocol.ts';
import { sixelPicture } from '../../output/pictures/sixel.ts';

type Preview = Pick<Context, 'environment' | 'output' | 'io'>;

const COLUMNS = 40;
const SIDE = 400;

/**
 * Shows an image if the terminal is known to support it; elsewhere nothing. A command does not query the terminal,
 * since it would read what is typed ahead for the shell.
 */
export async function showPicture({ environment, output, io }: Preview, picture: Buffer): Promise<void> {
  if (!output.styled || output.json || output.quiet || environment.isScreenReader) return;
  const { chatImages } = await loadSettings(environment);
  const protocol = chatImages === 'auto' ? protocolOf(environment.env) : chatImages;
  if (protocol === undefined || protocol === 'off') return;
  const sequence = await drawn(picture, protocol).catch(() => undefined);
  if (sequence !== undefined) io.stdout.write(`${sequence}\n`);
}

async function drawn(picture: Buffer, protocol: PictureProtocol): Promise<string> {
  const { fewColors, scalePicture } = await import('../../output/pictures/scale.ts');
  // A terminal that counts in columns has its own idea of how many pixels these are.
  const side = protocol === 'sixel' ? SIDE : 2 * SIDE;
  const { png } = await scalePicture(picture, { width: side, height: side });
  if (protocol === 'kitty') return kittyPicture(png, `a=T,c=${COLUMNS}`).join('');
  if (protocol === 'iterm2') return iterm2Picture(png, { columns: COLUMNS });
  return sixelPicture(await fewColors(png));
}
