import type { Usage } from '../../../src/api/chat/chat.ts';
import type { Model } from '../../../src/api/management/models.ts';
import type { Client } from '../../client/client.ts';
import { formatAmount, formatTokens } from '../../output/format.ts';
import type { Reply } from '../reply.ts';
import type { Conversation } from '../slash-commands.ts';

const MILLION = 1_000_000;

type Known = Partial<Pick<Model, 'pricing' | 'local'>>;

/** The line below the message: the model, how full its context is, what the conversation costs, and the speed. */
export function createStatus(client: Pick<Client, 'model'>, conversation: Conversation, changed: () => void) {
  let id = '';
  let known: Known = {};
  let last: Reply | undefined;
  let spent = 0;
  let isAnswering = false;

  async function look(wanted: string): Promise<void> {
    id = wanted;
    known = {};
    const found = await client.model(wanted).catch(() => ({}));
    if (id !== wanted) return;
    known = found;
    changed();
  }

  return {
    text(): string {
      const { model } = conversation.options;
      if (model !== id) void look(model);
      const doing = isAnswering ? 'Esc stops and edits, Ctrl-C stops' : undefined;
      const tokens = conversation.messages.length === 0 ? 0 : (last?.usage?.total_tokens ?? 0);
      const speed = last?.stats.tokens_per_second ?? null;
      return [
        doing,
        model,
        tokens > 0 && contextText(tokens, known.local?.context_tokens ?? null),
        spent > 0 && `${formatAmount(spent)} credits`,
        speed !== null && `${speed} tokens/s`,
      ]
        .filter(Boolean)
        .join(' · ');
    },
    begin(): void {
      isAnswering = true;
      changed();
    },
    end(reply: Reply | undefined): void {
      isAnswering = false;
      last = reply ?? last;
      spent += costOf(known.pricing, reply?.usage ?? null);
      changed();
    },
  };
}

function contextText(tokens: number, most: number | null): string {
  return most === null ? formatTokens(tokens) : `${tokens.toLocaleString('en-US')} of ${formatTokens(most)}`;
}

function costOf(pricing: Known['pricing'], usage: Usage | null): number {
  const price = (name: string) => Number(pricing?.[name] ?? 0);
  if (usage === null) return 0;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return (input * price('input_price_per_million') + output * price('output_price_per_million')) / MILLION;
}
