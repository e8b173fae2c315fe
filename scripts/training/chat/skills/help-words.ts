/** Synonyms for the same action. */
const DEEDS: Readonly<Record<string, string>> = {
  SHOW: 'see, show, view, look at, inspect, display, check, read, print, have a look at, open',
  LIST: 'list, see all of, show all of, get an overview of, view, display, print, see, find the names of, see the whole list of',
  KNOW: 'know, find out, see, check, tell, learn, find',
  CREATE: 'create, make, add, generate, obtain, get, issue, set up, produce, register, start, open',
  DELETE:
    'delete, remove, erase, get rid of, drop, destroy, forget, kill, throw away, invalidate, cancel, discard',
  CHANGE: 'change, edit, modify, adjust, update, alter, set, reset, limit',
  START: 'start, launch, boot, run, bring up, turn on, switch on, fire up, wake, reactivate',
  STOP: 'stop, end, quit, shut down, turn off, switch off, halt, kill, terminate, close, suspend, abort, interrupt',
  AGAIN: 'repeat, retry, redo, send again, resend, send once more, deliver again, try again with',
  RENEW: 'rotate, renew, refresh, replace, swap, change, reset, exchange',
  FIND: 'find, look for, search for, discover, locate, look up, query, browse',
  FETCH: 'download, fetch, get, pull, install, obtain, set up, bring in',
  TRY: 'test, try, check, verify, simulate, troubleshoot, examine',
  WATCH: 'watch, follow, attach to, keep watching, observe, see, monitor',
  SAY: 'talk with, chat with, speak with, ask, talk to, write to, converse with',
  NOMORE:
    'no longer have, no longer want, not keep, do without, put an end to, stop having, not need any more',
  GIVE: 'give, hand, show, feed, offer, hand over to, share with',
  PAY: 'buy, add, top up, recharge, refill, pay for, load up, purchase',
};

/** A command, an action, and its object. */
const LINES = `
chat: SAY | the model, the assistant, a model, the bot
chats list: LIST | my chats, my conversations, earlier conversations, what I talked about, old chats, past conversations
chats show: SHOW | an old chat, one conversation, a saved conversation, an earlier chat
chats rm: DELETE | a chat, a conversation, an old conversation, a saved chat
agent: START | a search with citations, the research agent, the agent on a question, research about something
agent list: LIST | agent runs, the latest runs of the agent, past agent runs, finished runs, earlier research
agent show: SHOW | a finished agent run, an agent run, one run of the agent, the result of a run
agent attach: WATCH | an agent run, the agent at work, a running agent, the agent while it works
agent cancel: STOP | an agent run, the agent, a run of the agent, the research
docs add: CREATE | a collection of documents, an index of my folder, a searchable folder, an index of my files
docs list: LIST | collections, my document collections, the indexed folders, indexed documents
docs rm: DELETE | a collection, a collection of documents, an indexed folder, a document collection
docs search: FIND | something in my documents, a passage in my files, a text in my notes, something in my folder
embed: CREATE | embeddings, a vector of a text, vectors, an embedding
rerank: CHANGE | the order of texts by relevance, the ranking of documents against a query, the order of search results
moderate: TRY | a comment for harm, whether a text is harmful, a message for harmful content, a text for abuse
translate: CHANGE | a text into another language, the language of a text, a sentence into French, English into German
image: CREATE | a picture, an image, a drawing, pictures from text
transcribe: CREATE | a transcript, subtitles, the text of a recording, a text from speech
speak: CREATE | speech from text, an audio file of a text, a spoken version of a letter, sound from a text
models: LIST | the models, the service models, all models, which models I can use
pull: FETCH | a model, a bigger model, a better model, weights, the chat model, svc-chat-v1, a larger model, a real model
list: LIST | the model files here, local models, downloaded models, the models on disk
show: SHOW | the details of a model, the card of a model, the licence of a model, a model
ps: LIST | the loaded models, the models in memory, running models, what is in memory now, what is in RAM right now
load: START | a model beforehand, a model before it is needed, a model so that it is ready, a model ahead of time
stop: STOP | a model in memory, a loaded model, a model so that RAM is free, a model to free memory
import: CREATE | a model from a file, a model from a USB stick, my own gguf, a local model file
upstream add: CREATE | a proxy to a remote model, an upstream, a model of our gpu box, a model of another server
bind: CHANGE | the model behind svc-chat-v1, what serves svc-chat-v1, the model of a service, which file serves svc-code-v1
cp: CREATE | an alias, a second name of a model, another name of a model, an alias of a model
rm: DELETE | a model, a model file, a downloaded model, a model from disk, an alias
search: FIND | models at the hub, new models, models online, a gguf model, models on the internet
engines list: LIST | the engines, optional engines, the installed engines
engines install: FETCH | an engine, the vision engine, the engine for pictures, the diffusion engine, the engine for images
engines remove: DELETE | an engine, the vision engine, the diffusion engine, an optional engine
up: START | the daemon, the server, askd, askd in the background, the service
down: STOP | the daemon, the server, askd, the whole server
restart: RENEW | the running daemon with a restart, the daemon process, the server by starting it again
restart: START | the daemon again, the server once more, askd anew, the server after stopping it
status: KNOW | whether the daemon runs, if the server is alive, the state of the server, how the daemon is
serve: START | the daemon in the foreground, the server in this shell, the server attached to the terminal, askd in a container
logs: SHOW | the log, recent log lines, the logs, the latest lines of the log, the log of the daemon
audit: SHOW | the audit log, who changed what, the record of management actions, changes of keys and settings
doctor: TRY | my installation, my setup, what is wrong, the installation, askd for problems
doctor: FIND | problems, what is broken, errors in my setup, the cause of trouble
keys create: CREATE | a key, an api key, a new key, a fresh key, a token for my app, an access key, another key, a credential
keys list: LIST | the keys, my api keys, my keys, all keys
keys update: CHANGE | a key, the name of a key, the scopes of a key, the rights of a key
keys rotate: RENEW | a key, the secret of a key, an api key, a leaked secret, a secret
keys revoke: DELETE | a key, an api key, an old key, a leaked key, a key for good
tui: SHOW | the terminal screen, the full-screen view, everything on one screen, the terminal interface
dashboard: SHOW | the dashboard, the web page, askd in a browser, the web interface
session create: CREATE | a dashboard session, a session for a script, a scripted session, a session
session list: LIST | the sessions, dashboard sessions, browsers that are signed in, open sessions
session revoke: STOP | a session, all sessions, a dashboard session, the session of everybody
token rotate: RENEW | the root token, the owner token, the token of the command line
init: START | the first setup, setting up my account, with askd, the setup
wallet balance: SHOW | my balance, my credits, the balance, what is left in my wallet, how much credit is left
wallet history: LIST | my transactions, past charges, what I was charged for, the history of my wallet
wallet topup: PAY | credits, my wallet, more credits, my balance, money
wallet settings: CHANGE | the spending limit, what I may spend in a month, automatic top-up, the wallet settings, my spending cap
wallet export: FETCH | my transactions as a file, my billing history, a csv of my charges, an export of the wallet
account tier: SHOW | my limits, my tier, my rate limit, how many requests I may send
account create: CREATE | an account for a team, an account for a customer, a second account, an account for other people
account list: LIST | the accounts, all accounts, the accounts of this daemon, my customers' accounts
account show: SHOW | one account, the details of an account, a customer's account, the state of an account
account suspend: STOP | a whole account, the account of a customer, all keys of an account, an account for now
account resume: START | a suspended account, a blocked account, the account of a customer again, an account that was suspended
account members: LIST | the members, the people of my account, the members of a team, everybody in the account
account add-member: CREATE | a member, a member for my account, a login for a colleague, access to the console for a person
account role: CHANGE | the role of a member, the rights of a member, what a member may do, a person's role
account remove-member: DELETE | a member, a person from my account, a member who left, a teammate from the account
account login-link: CREATE | a login link, a one-time link for a member, a link to sign in, a sign-in link for a colleague
webhooks add: CREATE | a webhook, a new webhook, a subscription to events, a webhook for my server, events posted to my server
webhooks list: LIST | the webhooks, my webhooks, all webhooks
webhooks show: SHOW | a webhook, one webhook, the settings of a webhook, the details of one webhook
webhooks rm: DELETE | a webhook, my webhook, an old webhook, a webhook for good
webhooks pause: STOP | a webhook for a while, deliveries for now, a webhook until later, deliveries for a time
webhooks resume: START | a paused webhook, a webhook again, deliveries again, a webhook that was paused
webhooks rotate: RENEW | the secret of a webhook, a webhook secret, the signing secret
webhooks events: LIST | the events, event types, the events one can subscribe to, event names
webhooks deliveries: LIST | deliveries, failed deliveries, what a webhook was sent, events that arrived, attempts of a delivery
webhooks resend: AGAIN | one event, a single event, a delivery, an event
webhooks replay: AGAIN | all missed events, everything since yesterday, all lost events, the missed webhooks
webhooks test: TRY | a webhook, whether my webhook works, whether my endpoint answers, my webhook
webhooks listen: WATCH | events on my machine, events locally, webhooks while developing, events in the terminal
webhooks trigger: CREATE | a made-up event, a fake event, an event for testing, a simulated event
config get: SHOW | one setting, the value of a setting, the port setting, a config value
config set: CHANGE | a setting, the port, a config value, a value of the configuration
config unset: DELETE | a setting, a setting of mine, a config value, my own value of a setting
config list: LIST | the settings, the configuration, the whole config, every setting
config edit: CHANGE | the configuration file by hand, the config file in vim, the settings in my editor, the config in an editor
config path: FIND | the config file, the configuration file, where the settings are, the path of the config
service install: START | askd at login, the daemon automatically, askd by itself when I log in, the daemon as a service
service uninstall: STOP | askd from starting at login, autostart, the automatic start, the service for good
service status: KNOW | whether autostart is on, whether askd is a service, if the service runs, whether it starts at login
service logs: SHOW | the log of the service, the output of the service, what the service wrote
completion: START | tab completion, completion in my shell, shell completion, completing commands with the tab key
help: SHOW | the help, the help of a command, the exit codes, what commands there are
agent: FIND | an answer with sources, an answer on the web, facts about something with the agent, what the web says
agent: START | a question with the agent, the agent to find something out, the agent so that it looks for an answer
docs add: GIVE | the agent my documents, the agent a folder, the agent my notes, the agent some files, the agent a pdf
stop: DELETE | a model from memory, a model from RAM, a loaded model from memory, the model that is in RAM
ps: KNOW | which models are loaded, which models are in memory, what is loaded, which model runs now, what RAM is used for
engines build: CREATE | an engine for my processor, an engine from source, a faster engine, an engine that is compiled here
webhooks rm: NOMORE | a webhook, events at my url, notifications of a webhook, events sent to my server
webhooks deliveries: KNOW | whether a delivery arrived, if my server got an event, whether events were delivered, if an event came through
webhooks resume: START | deliveries that were paused, a webhook that is suspended, a stopped webhook, deliveries to a webhook
keys revoke: NOMORE | a key, an old api key, a key of my app
service uninstall: NOMORE | askd at login, autostart, the daemon at every login
wallet balance: KNOW | how much is left in my account, what credits remain, what my account holds, how many credits I have
webhooks resend: AGAIN | one delivery, the delivery of an event, a failed event
version: KNOW | how old my askd is, which askd this is, what release I have, which release of askd runs here
version: SHOW | the version, which version I have, the version number
`;

const split = (text: string) => text.split(', ');

/** Each action with each of its objects. */
export const WORDED: Readonly<Record<string, readonly string[]>> = LINES.trim()
  .split('\n')
  .reduce<Record<string, string[]>>((worded, line) => {
    const [name = '', deed = '', things = ''] = line.split(/: | \| /);
    const goals = split(DEEDS[deed] ?? '').flatMap((verb) =>
      split(things).map((thing) => `${verb} ${thing}`),
    );
    worded[name] = [...(worded[name] ?? []), ...goals];
    return worded;
  }, {});
