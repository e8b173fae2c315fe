import type { ResponseAnswer, ResponseRequest } from '../../../src/api/chat/responses.ts';
import type { InputItem } from '../../../src/api/chat/response-input.ts';
import { Failure } from '../../../src/base/errors.ts';
import { withId, type Caller, type Item } from '../../../src/responses/items.ts';
import type { Services } from '../../compose.ts';
import { invalid } from '../../http/required.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';

type Stores = Pick<Services, 'responses' | 'conversations' | 'settings' | 'log'>;

/** A request with everything that it refers to, and what happens to its response. */
export type Remembered = {
  /** Includes the earlier conversation. */
  body: ResponseRequest;
  conversationId: string | undefined;
  isStored: boolean;
  keep: (answer: ResponseAnswer) => void;
};

type Options = { body: ResponseRequest; caller: Caller; leaveOut: LeaveOut };

/** Replaces ids with the stored responses and items. */
export function remember(stores: Stores, { body, caller, leaveOut }: Options): Remembered {
  const { responses, conversations, settings, log } = stores;
  const previousId = body.previous_response_id;
  const conversationId = typeof body.conversation === 'object' ? body.conversation.id : body.conversation;
  if (previousId !== undefined && conversationId !== undefined)
    throw invalid('conversation', 'Give "conversation" or "previous_response_id", not both.');
  if (!settings.responseStore) refuseStored(body);
  const isStored = settings.responseStore && body.store !== false;
  if (body.store === true && !isStored) leaveOut('store', 'store');

  const before =
    previousId !== undefined
      ? responses.conversationOf(previousId, caller, 'previous_response_id')
      : conversationId !== undefined
        ? conversations.itemsOf(conversationId, caller, 'conversation')
        : [];
  const input = itemsOf(body.input).map((item, place) =>
    item.type === 'item_reference'
      ? responses.findItem(item.id ?? '', caller, `input[${place}].id`)
      : withId(item),
  );
  // An item that is already in the conversation is not repeated.
  const known = new Set(before.map(({ id }) => id));
  const added = input.filter(({ id }) => !known.has(id));
  const items = [...before, ...added] as InputItem[];
  if (items.length === 0) throw invalid('input', '"input" has no items.');

  function keep(answer: ResponseAnswer): void {
    const output = answer.output as unknown as Item[];
    try {
      if (isStored) responses.keep(caller, { answer, previousId, input: added, output });
      if (conversationId === undefined) return;
      conversations.add(conversationId, caller, added);
      conversations.add(conversationId, caller, output, true);
    } catch (error) {
      // The response was sent anyway; its client finds out when it refers to it.
      log.warn({ response_id: answer.id, err: error }, 'a response could not be stored');
    }
  }

  return { body: { ...body, input: items }, conversationId, isStored, keep };
}

function itemsOf(input: ResponseRequest['input']): InputItem[] {
  if (typeof input !== 'string') return input;
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
}

/** Without the store, there is nothing to refer to. */
function refuseStored({ previous_response_id: previous, conversation, input }: ResponseRequest): void {
  const isReference = (item: InputItem) => item.type === 'item_reference';
  const place = typeof input === 'string' ? -1 : input.findIndex(isReference);
  const param =
    previous !== undefined
      ? 'previous_response_id'
      : conversation !== undefined
        ? 'conversation'
        : place !== -1
          ? `input[${place}]`
          : undefined;
  if (param === undefined) return;
  throw new Failure(
    'unsupported_parameter',
    `Responses are not stored, so "${param}" refers to nothing. Send the whole conversation in "input", or enable storage: askd config set response_store on`,
    { param },
  );
}
