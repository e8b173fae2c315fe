const THESE = '(these words|the words|this|this text|the text|the following|the following words|these)';
const SAY = '(write|say|give me|show me|print|return|put|list)';

/** How people ask for work on words. */
export const ASKED = {
  reverse:
    '(reverse|turn around|flip|invert) (these words|the words|the order of the words|the order of these words|the word order|the words of this text|the words of this)|' +
    `${SAY} ${THESE} (backwards|in reverse order|in reverse|in the reverse order|from last to first|from the last to the first|the other way round|in the opposite order|starting with the last word)|` +
    '(reverse|backwards|in reverse order|reverse order)',
  upper:
    `${SAY} ${THESE} (in upper case|in uppercase|in capitals|in capital letters|in all caps|in big letters)|` +
    `(make|turn|change|convert|put|transform) ${THESE} (to|into) (upper case|uppercase|capitals|capital letters|all caps)|` +
    `(uppercase|capitalize all letters of|capitalize every letter of) ${THESE}|` +
    '(capitalize|capitalise) (every letter|all letters|each letter|everything)|(upper case|uppercase|all caps|in capitals|capital letters)',
  lower:
    `${SAY} ${THESE} (in lower case|in lowercase|in small letters|without capitals|without capital letters)|` +
    `(make|turn|change|convert|put|transform) ${THESE} (to|into) (lower case|lowercase|small letters)|` +
    `(lowercase|remove the capitals from|take the capitals out of) ${THESE}|(lower case|lowercase|small letters|in small letters|no capitals)`,
  count:
    'how many words (are|are there|do you count|do you see) (here|in this|in this text|in the text|in the following|in this sentence)|' +
    'how many words does (this|this text|the text|the following text|this sentence) (have|contain|consist of)|' +
    '(count|count up) (these words|the words|the words here|the words of this text|the words in this|all the words)|' +
    '(tell me|give me|say|what is) the (number|count) of words (here|in this|in this text|in the text|of this)|(word count|number of words|count words|how many words)',
  sort:
    `(sort|order|arrange) ${THESE} (alphabetically|by the alphabet|from a to z|by alphabet|in alphabetical order)|` +
    '(put|bring|write|list) (these words|the words|these|the following words|them) (in alphabetical order|in order from a to z|in alphabetic order|alphabetically)|' +
    `(sort|alphabetize) ${THESE}|(sort|sort alphabetically|alphabetize|alphabetical order|sort from a to z)`,
  commas:
    '(put|add|insert|set|write) (commas|a comma) between (these words|the words|each word|all words|the words of this text)|' +
    '(separate|join|divide|connect) (these words|the words|the following words|them) (with commas|by commas|with a comma|using commas)|' +
    `${SAY} ${THESE} (with commas|separated by commas|as a comma separated list|as a list with commas|with commas in between)|` +
    '(make|create|build) a (comma separated list|list with commas|list separated by commas) (of|from|out of) (this|these words|these|the words)|(comma separated|with commas|comma separated list|commas)',
  bullets:
    `(make|create|build|give me) a (bullet list|bulleted list|list with bullets|list of bullet points) (of|from|out of) ${THESE}|` +
    `(turn|change|convert|make) ${THESE} into (a bullet list|bullet points|bullets|a bulleted list)|` +
    `${SAY} ${THESE} (as bullet points|as a bullet list|with bullets|as bullets|one on a line with a bullet)|` +
    '(bullet points|bullet list|bullets|as bullet points)',
  repeat:
    `(repeat|copy|echo|write again|say again) (${THESE}|after me|exactly) (word for word|exactly|once|for me|back to me|)|` +
    '(say|write|answer|reply) (exactly this|just this|only this|this and nothing else|exactly)|give (this|this text|these words) back to me|(repeat|repeat after me|echo|copy|say|copy this|repeat this)',
  title:
    '(capitalize|capitalise) (each word|every word|the words|each of these words|the first letter of each word|the first letter of every word)|' +
    `(write|put|show|give me|print) ${THESE} (as a title|in title case|like a title|as a headline)|` +
    `(begin|start|write) (each|every) word (of this text|here|of this|) with a (capital letter|capital|big letter)|(make|turn|change) ${THESE} into (a title|title case)|(title case|as a title|capitalize each word)`,
  ends:
    '(give me|show|write|take|return|print|list|I want|tell me) (only |just |)the {side} {many} (of this|of this text|of the text|from this|of the following|)|' +
    'what are the {side} {many} (of this|of this text|of the text|here|in this)|(the |only the |just the |){side} {many}',
  nth:
    '(give me|show|write|tell me|return|print|say|name) (only |just |)the {ordinal} word (of this|of this text|of the text|of the following|in this|)|' +
    '(what is|which is) the {ordinal} word (of this|of this text|of the text|here|in this)|which word (is|comes|stands) {ordinal} (here|in this text|in this)|(the |){ordinal} word',
  replace:
    '(replace|exchange|swap) (the word |){old} (by|with|for) (the word |){fresh} (in this|in this text|in the text|here|in the following|)|' +
    '(in this text, |in this, |)(write|put|use|say) {fresh} (instead of|in place of|for) {old}|(change|turn) (the word |each |){old} (to|into) {fresh} (in this|in this text|here|)',
  json:
    '(make|create|build|give me|write) (JSON|a JSON object|an object in JSON) (of this|of these|from this|from the following|from these values|out of this)|' +
    '(turn|convert|change|put|transform) (this|these|the following|these values|the following values|this text) (into|to) (JSON|a JSON object)|' +
    '(write|show|return|print|say) (this|these|the following|these values) (as JSON|as a JSON object|in JSON)|(JSON|as JSON|to JSON|in JSON format)',
} as const;

/** Before what is asked for, where it is no question. */
export const OPENERS =
  '||||please |can you |could you |would you please |I want you to |now |kindly |your task: ';

/** What is asked, and the text. */
export const LAYOUTS =
  '{q}: {text}|{q}: {text}|{q}: {text}|{q}: {text}|{q}:\n{text}|{q}: "{text}"|{q}\n\n{text}|{text}\n\n{q}';
