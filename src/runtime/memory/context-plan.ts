import { fits, type Bytes } from '../memory.ts';

/** Context length per slot, number of slots, and the reason in words. */
export type ContextPlan = {
  contextTokens: number;
  slots: number;
  /** Whether the length was not configured, so that it may shrink when memory runs out. */
  isAutomatic: boolean;
  reason: string;
};

export type ContextRequest = {
  /** What the weights were trained for; 0 if the file does not say. */
  trainedTokens: number;
  /** A configured number, or the limit of an automatic context. */
  chosenTokens: number | undefined;
  /** The name of that number in messages; `model_context_tokens` if absent. */
  chosenBy?: string;
  tokensMax: number;
  slots: number;
  areSlotsChosen: boolean;
  /** Estimated from the files. Measurements decide later whether a load may start. */
  needOf: (contextTokens: number, slots: number) => Bytes;
  /** What models may use, and how much of it a context leaves for others if possible. */
  rooms: readonly Room[];
};

/** A part of the memory, and its name in messages: `memory_budget_bytes`. */
export type Room = { bytes: Bytes; name: string };

/** Coding agents start with prompts of 10,000 to 30,000 tokens. */
export const AGENT_TOKENS = 32_768;
/** For models that do not chat, and for files that do not state what they were trained for. */
export const SHORT_TOKENS = 8192;
/** An agent sends concurrent requests, and each should find its prompt cached. */
const SLOTS_WELCOME = 2;
/** A shorter context is of no use, however little memory there is. */
export const LEAST_TOKENS = 2048;
const STEP = 1024;
const LONG_STEP = 4096;

/**
 * As long as the model was trained for. If that does not fit, a context that agents can work with takes precedence,
 * first over room for other models and then over a third and fourth slot.
 */
export function planContext(request: ContextRequest): ContextPlan {
  const { trainedTokens, chosenTokens, slots } = request;
  if (chosenTokens !== undefined) return chosenPlan(request, chosenTokens);
  const trained = trainedTokens || SHORT_TOKENS;
  const wanted = Math.min(trained, request.tokensMax);
  const enough = Math.min(wanted, AGENT_TOKENS);
  const [comfortable, whole] = [request.rooms[0], request.rooms.at(-1)];
  if (!comfortable || !whole) throw new Error('There is no memory to plan with');
  const many = slotChoices(request).filter((count) => count >= Math.min(SLOTS_WELCOME, slots));
  const tries = [
    ...many.map((count) => ({ slots: count, room: comfortable, tokensMax: wanted })),
    ...many.map((count) => ({ slots: count, room: whole, tokensMax: enough })),
    ...slotChoices(request)
      .slice(-1)
      .flatMap((count) => [
        { slots: count, room: comfortable, tokensMax: wanted },
        { slots: count, room: whole, tokensMax: enough },
      ]),
  ];
  const plans = tries.map((one) => ({ ...one, contextTokens: longest(request, one) }));
  const isEnough = (one: (typeof plans)[number]) =>
    one.contextTokens >= enough && fits(request.needOf(one.contextTokens, one.slots), one.room.bytes);
  const plan = plans.find(isEnough) ?? plans.at(-1);
  if (!plan) throw new Error('There is no number of slots to plan with');
  const { contextTokens } = plan;
  return { contextTokens, slots: plan.slots, isAutomatic: true, reason: reasonOf(request, plan) };
}

function chosenPlan(request: ContextRequest, chosen: number): ContextPlan {
  const { trainedTokens: trained, slots, chosenBy = 'model_context_tokens' } = request;
  const contextTokens = Math.min(chosen, trained || chosen);
  const reason =
    contextTokens < chosen
      ? `trained for ${count(trained)}; ${chosenBy} is ${count(chosen)}`
      : `${chosenBy} is ${count(chosen)}`;
  return { contextTokens, slots, isAutomatic: false, reason };
}

/** Halved each time, down to one, unless the number is configured. */
function slotChoices({ slots, areSlotsChosen }: ContextRequest): number[] {
  if (areSlotsChosen || slots === 1) return [slots];
  return [slots, ...slotChoices({ slots: Math.floor(slots / 2), areSlotsChosen: false } as ContextRequest)];
}

type Try = { slots: number; room: Room; tokensMax: number };

/** At least a usable context, even if it does not fit: the load then decides. */
function longest({ needOf }: ContextRequest, { slots, room, tokensMax }: Try): number {
  const isRoomFor = (tokens: number) => fits(needOf(tokens, slots), room.bytes);
  if (tokensMax <= LEAST_TOKENS || isRoomFor(tokensMax)) return tokensMax;
  let [fit, tooMany] = [LEAST_TOKENS / STEP, Math.ceil(tokensMax / STEP)];
  while (tooMany - fit > 1) {
    const middle = Math.floor((fit + tooMany) / 2);
    if (isRoomFor(middle * STEP)) fit = middle;
    else tooMany = middle;
  }
  const tokens = fit * STEP;
  return tokens < AGENT_TOKENS ? tokens : tokens - (tokens % LONG_STEP);
}

function reasonOf(
  request: ContextRequest,
  { contextTokens, slots, room }: Try & { contextTokens: number },
): string {
  const { trainedTokens, tokensMax } = request;
  const trained =
    trainedTokens === 0 ? 'the file does not state its length' : `trained for ${count(trainedTokens)}`;
  const ofAll = slots < request.slots ? ` of ${request.slots}` : '';
  const slotsText = `${slots}${ofAll} ${request.slots === 1 ? 'slot' : 'slots'}`;
  if (contextTokens < Math.min(trainedTokens || SHORT_TOKENS, tokensMax)) {
    return `${trained}; ${count(contextTokens)} fit in ${room.name} with ${slotsText}`;
  }
  if (contextTokens < trainedTokens) return `${trained}; ${count(contextTokens)} are enough if nobody chats`;
  return ofAll === '' ? trained : `${trained}; fits in ${room.name} with ${slotsText}`;
}

export function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
