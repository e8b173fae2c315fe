import type { CallFormat } from '../call-format.ts';
import type { NamedFormat } from './named-format.ts';

const IN_CHANNEL = [' <|constrain|>json<|message|>', ' json<|message|>', ' code<|message|>', '<|message|>'];
const CHANNELS = ['<|channel|>commentary', '<|channel|>analysis'];

const call = (before: string, middle: string): CallFormat => ({
  before,
  middle,
  between: undefined,
  after: '',
});

/** The intended forms, and those that models write as well. */
const inChannels = CHANNELS.flatMap((channel) =>
  IN_CHANNEL.map((middle) => call(`${channel} to=functions.`, middle)),
);
const beforeChannels = CHANNELS.flatMap((channel) =>
  [' json<|message|>', ...IN_CHANNEL].map((middle) => ({
    ...call(' to=functions.', channel + middle),
    isAtStart: true,
  })),
);

/** The recipient is in the channel, or before it in the header of the message. */
export const gptOss: NamedFormat = {
  inTemplate: ['<|channel|>', '<|message|>', 'analysis'],
  calls: [
    call('<|channel|>commentary to=functions.', ' <|constrain|>json<|message|>'),
    ...inChannels.slice(1),
    ...beforeChannels,
  ],
};
