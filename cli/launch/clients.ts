import { aider } from './aider.ts';
import { claude } from './claude.ts';
import type { Client } from './client.ts';
import { codex } from './codex.ts';
import { continueCli, continueDev } from './continue.ts';
import { opencode } from './opencode.ts';
import { zed } from './zed.ts';

export const CLIENTS: readonly Client[] = [claude, codex, opencode, aider, continueDev, continueCli, zed];
