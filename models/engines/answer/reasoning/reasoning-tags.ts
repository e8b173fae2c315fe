/** The tags around a model's content, if any. */
export type AnswerTags = {
  /** Starts the content, but is not part of it. */
  answer?: string;
  /** Alternatives for it. */
  otherAnswers?: readonly string[];
  /** Ends content that was started this way. */
  answerEnd?: string;
  /** Between two messages of one turn; each starts with its own tag. */
  turn?: string;
  /** Meaningless text that sometimes precedes another tag. */
  skipped?: string;
};

/** The tags around a model's reasoning. */
export type ReasoningTags = AnswerTags & {
  begin: string;
  end: string;
  /** The tags are tokens that nobody writes about, so reasoning may start in the middle of an answer. */
  isAnywhere?: boolean;
};

/** Recognised by strings that all occur in the template; the first match counts. */
type Known = { inTemplate: readonly string[]; tags: ReasoningTags };

const KNOWN: readonly Known[] = [
  {
    // Reasoning and content are messages of one turn, each in its own channel.
    inTemplate: ['<|channel|>', '<|message|>', 'analysis'],
    tags: {
      begin: '<|channel|>analysis<|message|>',
      end: '<|end|><|start|>assistant<|channel|>final<|message|>',
      answer: '<|channel|>final<|message|>',
      otherAnswers: ['<|channel|>final <|constrain|>json<|message|>', '<|channel|>commentary<|message|>'],
      turn: '<|end|><|start|>assistant',
      skipped: '<|channel|>commentary to=assistant',
    },
  },
  {
    inTemplate: ['assistant to=self<|message|>', '<|eom|>'],
    tags: {
      begin: ' to=self<|message|>',
      end: '<|eom|><|start|>assistant to=user<|message|>',
      answer: ' to=user<|message|>',
      turn: '<|eom|><|start|>assistant',
    },
  },
  {
    inTemplate: ['assistant<|think|>', 'assistant<|content|>'],
    tags: {
      begin: '<|think|>',
      end: '<|end|><|begin|>assistant<|content|>',
      answer: '<|content|>',
      turn: '<|end|><|begin|>assistant',
    },
  },
  {
    inTemplate: ['<|channel>thought', '<channel|>'],
    tags: { begin: '<|channel>thought', end: '<channel|>', skipped: '<|channel>', isAnywhere: true },
  },
  {
    inTemplate: ['<|START_THINKING|>', '<|START_RESPONSE|>'],
    tags: {
      begin: '<|START_THINKING|>',
      end: '<|END_THINKING|>',
      answer: '<|START_RESPONSE|>',
      answerEnd: '<|END_RESPONSE|>',
    },
  },
  {
    inTemplate: ['<|START_THINKING|>', '<|START_TEXT|>'],
    tags: {
      begin: '<|START_THINKING|>',
      end: '<|END_THINKING|>',
      answer: '<|START_TEXT|>',
      answerEnd: '<|END_TEXT|>',
    },
  },
  {
    inTemplate: ["open_tag('think'", "open_tag('response'", '<|sep|>'],
    tags: {
      begin: '<|open|>think<|sep|>',
      end: '<|close|>think<|sep|>',
      answer: '<|open|>response<|sep|>',
      answerEnd: '<|close|>response<|sep|>',
    },
  },
  {
    inTemplate: ['[BEGIN FINAL RESPONSE]'],
    tags: {
      begin: 'Here are my reasoning steps:',
      end: '[BEGIN FINAL RESPONSE]',
      answerEnd: '[END FINAL RESPONSE]',
    },
  },
  {
    inTemplate: ['between <think></think>', 'between <response></response>'],
    tags: { begin: '<think>', end: '</think>', answer: '<response>', answerEnd: '</response>' },
  },
  { inTemplate: ['<think{}>', "HYTK = ':opensource'"], tags: tags('think:opensource') },
  { inTemplate: ['<mm:think>'], tags: tags('mm:think') },
  { inTemplate: ['<seed:think>'], tags: tags('seed:think') },
  { inTemplate: ['[THINK]'], tags: { begin: '[THINK]', end: '[/THINK]' } },
  { inTemplate: ['<think>'], tags: tags('think') },
  { inTemplate: ['</think>'], tags: tags('think') },
  { inTemplate: ['<thinking>'], tags: tags('thinking') },
];

/** The template of a reasoning model contains its tags somewhere, if only to strip them from earlier answers. */
export function findReasoningTags(source: string): ReasoningTags | undefined {
  return KNOWN.find(({ inTemplate }) => inTemplate.every((text) => source.includes(text)))?.tags;
}

function tags(name: string): ReasoningTags {
  return { begin: `<${name}>`, end: `</${name}>` };
}
