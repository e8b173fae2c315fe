/** What people want when they need a command, in their own words. The last of each line is held out for evaluation. */
const LINES = `
chat: talk with a model; chat; ask the model a question; have a conversation; start chatting; send a message to the model; speak with the assistant
chats list: list my conversations; see earlier chats; show my saved chats; find an old conversation; see what I talked about before
chats show: read an old conversation; show one chat; see a conversation again; look at a saved chat; open an earlier conversation
chats rm: delete a conversation; remove a saved chat; forget a chat; erase an old conversation; get rid of a conversation
agent: answer a question with sources; have a question researched; search and cite; run the research agent; ask the agent; get an answer with citations; let the agent look something up
agent list: list the runs of the agent; see what the agent did lately; show earlier agent runs; list agent runs; see past research; look at the latest agent runs
agent show: show a run of the agent; see the answer of an agent run again; look at the sources of a run; show one agent run; read an old research result; open a finished agent run
agent attach: watch a run of the agent; follow an agent run; attach to a run; see an agent run live; reconnect to a running agent; keep watching the agent work
agent cancel: stop a run of the agent; cancel an agent run; abort the research; end a running agent; interrupt the agent; kill an agent run
docs add: make a folder searchable; add my documents; index a folder; let the agent read my notes; add a pdf for the agent; index my files; give the agent my local files
docs list: list my document collections; see which folders are indexed; show the collections; list indexed documents; know which documents are searchable; see all collections of documents
docs rm: forget a collection; remove a folder from the index; delete a document collection; stop indexing a folder; take my documents out again; drop a collection of documents
docs search: search my documents; find a passage in my notes; search the indexed files; look for a text in my folder; query my local documents; find something in my files
run: download a model and talk with it; run a model that is not here yet; fetch a model and chat at once; try a model in one step; pull and chat in one go; start a model from the hub and talk with it
embed: turn texts into vectors; get embeddings; embed a sentence; make a vector of a text; compute embeddings; convert text into numbers for search; create an embedding
rerank: sort texts by relevance; rerank documents; rank passages for a question; order search results; find the best answer among texts; score documents against a query
moderate: check a text for hate; moderate a comment; score texts for violence; find out whether a text is harmful; filter harassing messages; check comments for abuse; screen a message for harmful content
translate: translate a text; translate a file into German; turn English into French; get a translation; translate a sentence; put a text into another language
image: draw a picture; generate an image; make a picture from a text; create an image; paint what a text says; get a drawing; produce a picture
transcribe: transcribe a recording; turn speech into text; get the text of an interview; make subtitles; write down what is said in an audio file; transcribe an mp3; get a transcript
speak: read a text aloud; turn text into speech; make an audio file of a text; hear a text spoken; generate speech; have a letter read to me
models: list the models; see which service models there are; know what serves which model; show all models; see what serves svc-chat-v1; find out which models I can use
pull: download a model; install a bigger model; fetch a model; get the embedding model; install svc-chat-v1; pull a real model; download weights; get a better model
list: list the model files; see which model files are on this machine; list local models; show downloaded models; see what is on disk; know which weights I have here
show: see everything about a model; show the details of a model; look at the card of a model; know the licence of a model; see the context size of a model; inspect a model
ps: see the models in memory; list loaded models; see the running models; know which models are loaded; show the runner processes; check what is in memory right now
load: load a model before it is needed; bring a model into memory; warm up a model; preload a model; keep a model in memory; have a model ready beforehand
stop: unload a model; take a model out of memory; free the memory of a model; stop a running model; evict a model; get a model out of RAM
import: use a GGUF file of my own; import a model file; use a model file that is on my disk; add a local gguf; make my own model usable; register a model from a USB stick
upstream add: use a model on another server; add an upstream; serve a model from a remote server; connect a vllm server; forward requests to another machine; proxy a model of our gpu box
bind: choose the model behind svc-chat-v1; bind a service model; use my model for svc-chat-v1; set which artifact serves a service; point svc-code-v1 at another model; make svc-chat-v1 use my file
cp: give a model a second name; make an alias; copy a model name; alias a model; call my model gpt-4o; let a model answer to another name
rm: delete a model; remove a model file; uninstall a model; get rid of a downloaded model; free disk space of a model; remove an alias; erase a model from disk
search: look for models at the hub; search the hub; find gguf models online; search for a model; look up models on hugging face; discover new models
engines list: list the optional engines; see which engines are installed; show the engines; know whether the vision engine is there; check the installed engines
engines install: install an engine; install the vision engine; add the diffusion engine; get the engine for images; fetch an optional engine; set up the engine for pictures
engines build: compile the engine for this machine; build llama.cpp for my processor; make the engine faster on this computer; compile the engine with CUDA; build the engine from source; get an engine made for this processor
engines remove: remove an engine; uninstall the vision engine; delete an optional engine; take out the diffusion engine; get rid of an engine
up: start the daemon; start askd in the background; start the server; bring the daemon up; launch askd; turn the server on; boot the daemon
down: stop the daemon; shut the server down; stop askd; turn the daemon off; quit the server; end the daemon; switch the server off
restart: restart the daemon; restart askd; stop and start the server again; reboot the daemon; restart the server; bounce the daemon
status: see whether the daemon runs; check the server; show the state of the daemon; know if askd is running; see the load of the server; find out if the server is alive
serve: run the daemon in the foreground; run the server in this terminal; serve on another host; start askd inside a container; run askd without the background; keep the server attached to my shell
logs: see the logs; follow the log; read the daemon's log; see what the daemon prints; look at the log file; watch the log output; view recent log lines
doctor: find out what is wrong; diagnose my installation; check my setup; repair askd; see why askd does not work; test the installation; troubleshoot askd
keys create: create an api key; make a new key; get an api key; generate a key for my app; add another key; create a token for the api; create a key; obtain a fresh key
keys list: list my api keys; see all keys; show my keys; know which keys exist; see which keys I have; get an overview of the keys
keys show: see one key; look at a key; show the details of a key; inspect a key; know the scopes of one key; find out when a key was last used
keys update: rename a key; change the scopes of a key; switch a key off; disable a key for now; give a key more scopes; turn a key back on; edit a key
keys rotate: rotate a key; replace the secret of a key; give a key a new secret; renew an api key; swap a leaked secret; refresh the secret of a key
keys revoke: revoke a key; delete an api key; end a key for good; remove a key; get rid of an old key; destroy a leaked key; invalidate an api key
tui: open the terminal screen; manage everything on one screen; start the terminal interface; watch askd live in the terminal; see all on one screen; open the full-screen view
dashboard: open the dashboard; use askd in the browser; open the web interface; see the dashboard; sign in to the web page; manage askd in a browser
session create: open a dashboard session for a script; create a session; get a session for automation; make a dashboard session; start a scripted session
session list: list the dashboard sessions; see who is signed in; show open sessions; list sessions; know which browsers are signed in
session revoke: end a dashboard session; sign a browser out; revoke a session; close all sessions; log everybody out of the dashboard
token rotate: replace the root token; rotate the owner token; get a new root token; change the token of the command line; renew the root token
init: set up my account; do the first setup; initialize askd; choose a profile; begin with askd; set askd up for the first time
wallet balance: see my balance; check my credits; know how many credits are left; show the wallet; see how much money I have; check what is left in my account
wallet history: see what changed my balance; list my transactions; see the history of the wallet; know what I was charged for; show my spending; look at past charges
wallet topup: add credits; top up my wallet; buy credits; put money into my account; refill my balance; pay for more credits; recharge the wallet
wallet settings: turn on automatic top-up; set a spending limit; get an alert when credits run low; change the wallet settings; limit my spending; cap what I spend in a month
wallet export: export my transactions; get a csv of my charges; save the transactions to a file; export the wallet; download my billing history
account tier: see my limits; change my tier; know my rate limit; show the tier; raise the limits of my account; find out how many requests I may send
account create: create an account for another team; open a second account; make an account for a customer; give another company its own keys and wallet; set up a separate account
account list: list the accounts; see which accounts there are; show all accounts of this daemon; know which teams have an account; get an overview of the accounts
account show: see one account; look at an account; show the details of an account; find out whether an account is suspended; know what an account has used
account suspend: suspend an account; refuse the keys of a customer; block an account for now; freeze a team's account; lock out a whole account
account resume: resume an account; open a suspended account again; unblock an account; lift the suspension of an account; let an account work again
account members: list the members; see who belongs to my account; show the people of a team; know who may sign in; find out who the members are
account add-member: add a member; invite a colleague; give another person access to the console; let a teammate in; add a person to my account
account role: change the role of a member; make a member an owner; give somebody the billing role; change what a colleague may do; make an owner a plain member
account remove-member: remove a member; take a person out of my account; end the access of a colleague; delete a member who left; throw a member out
account login-link: make a login link for a member; let a member sign in to the console; print a one-time link; send a colleague a link to sign in; get a new login link
webhooks add: add a webhook; register a webhook; get notified when a chat finishes; send events to a url; create a webhook; subscribe to events; set up a webhook; have events posted to my server
webhooks list: list my webhooks; see all webhooks; show the webhooks; know which webhooks there are; get an overview of the webhooks
webhooks show: show one webhook; see the details of a webhook; look at a webhook; inspect a webhook; view the settings of one webhook
webhooks rm: delete a webhook; remove a webhook; unregister a webhook; get rid of a webhook; no longer send events to a url
webhooks pause: pause a webhook; hold deliveries back; stop a webhook for a while; suspend a webhook; put deliveries on hold
webhooks resume: resume a webhook; turn a paused webhook on again; deliver events again; unpause a webhook; reactivate a webhook
webhooks rotate: change the secret of a webhook; rotate a webhook secret; give a webhook a new secret; renew the signing secret; replace a leaked webhook secret
webhooks events: list the events; see which events there are; know what events I can subscribe to; show all event types; find the names of the events
webhooks deliveries: see what a webhook was sent; list deliveries; see failed deliveries; look at the attempts of a delivery; check whether an event arrived
webhooks resend: send an event once more; resend a delivery; repeat one event; deliver an event again; retry a single event
webhooks replay: replay all missed events; send everything again since yesterday; replay events that did not arrive; deliver lost events since a time; catch up on missed webhooks
webhooks test: test a webhook; send a test event; try whether my webhook works; check a webhook; see whether my endpoint answers
webhooks listen: receive events on my machine; listen to events in the terminal; forward events to localhost; print events as they happen; get webhooks while developing locally
webhooks trigger: make up an event; trigger an event; fake an event for testing; fire a made-up event; simulate an event
config get: see one setting; read a setting; know the value of a setting; look up the port setting; get a config value
config set: change a setting; set the port; change the port; set keep_alive; configure askd; modify a config value
config unset: take a setting out; unset a setting; go back to the default of a setting; remove a setting; reset a config value
config list: see all settings; list the configuration; show my configuration; know every setting; print the whole config
config edit: edit the configuration file; open the config in my editor; edit the settings by hand; open the configuration file; change the config file in vim
config path: find the configuration file; know where the config is; get the path of the configuration; see where the settings are stored; locate the config file
service install: start askd when I log in; run the daemon at login; install askd as a service; have askd start by itself; make the daemon start automatically
service uninstall: no longer start askd at login; remove the service; uninstall the service; stop askd from starting by itself; turn off autostart
service status: see whether askd is a service; check the service; know if the service runs; show the state of the service; find out whether autostart is on
service logs: see the service's log; read what the service wrote; show the logs of the service; look at the log of the service; view the service output
completion: complete commands in my shell; set up tab completion; get shell completion; turn on completion in bash; have commands completed with the tab key
help: get help; see the help of a command; list all commands; know what commands there are; learn the options of a command; read about the exit codes
chats rename: rename a conversation; give a chat another name; change the title of a chat; call a conversation something else; retitle a saved chat
chats search: search all my conversations; find a message in my chats; look for a word in old conversations; find which chat mentions something; search through my chat history
chats export: export a conversation; save a chat as markdown; write a conversation to a file; get a chat as json; download a conversation
mcp add: add an MCP server; connect a tool server; give models the tools of an MCP server; register an MCP server; let the model use tools of mine
mcp list: list the MCP servers; see which MCP servers there are; show my tool servers; know which MCP servers are set up; get an overview of MCP servers
mcp show: show an MCP server; see which tools of a server are allowed; see the tools of an MCP server; look at one MCP server; inspect an MCP server
mcp login: log in at an MCP server; sign in to an MCP server; authorize askd at an MCP server; do the oauth login of an MCP server; authenticate with a tool server
mcp logout: log out of an MCP server; sign out from an MCP server; revoke the login of an MCP server; forget the tokens of an MCP server; end my login at a tool server
mcp test: test an MCP server; check whether an MCP server starts; see what an MCP server offers now; try an MCP server; find out if a tool server works
mcp allow: allow the tools of an MCP server; let a tool run without asking; permit a tool; approve tools of an MCP server; trust a tool of a server
mcp rm: remove an MCP server; delete an MCP server; disconnect an MCP server; get rid of a tool server; take an MCP server out
mcp import: import MCP servers of another program; take over the MCP servers of cursor; use the MCP configuration of claude; copy MCP servers from an mcp.json; read MCP servers from another config
mcp serve: offer askd as an MCP server; let other programs use askd by MCP; serve MCP; run askd as a tool server; give claude the tools of askd
launch: start a coding agent with local models; run claude code with askd; open codex with my models; use an editor with local models; launch a coding assistant
eval: evaluate a model; compare two models; test prompts against models; judge answers with a file of cases; grade the answers of models; run an evaluation
record: record requests and answers; save the traffic of my tests; capture API calls into a file; keep the answers of a test run; make a recording of requests
replay: replay recorded answers; answer requests from a recording; run tests without a model; play a recording back; use recorded responses in tests
batch run: run a batch; process a file of requests; send many requests for half the price; have a jsonl file answered; submit a batch job
batch list: list my batches; see the latest batches; show all batch jobs; know which batches there are; get an overview of batches
batch show: show a batch; see how far a batch is; get the results of a batch; check the progress of a batch; look at a batch job
batch cancel: cancel a batch; stop a batch job; abort a running batch; end a batch early; call off a batch
recommend: find out which models suit this machine; get a recommendation of models; know which model fits my memory; choose a model for my computer; see what runs well here; get advice on models
devices: list the graphics cards; see which gpus there are; check whether my gpu is found; show the devices; know which cards can hold models
place: choose where the layers of a model go; put a model on another gpu; set how many layers are on the gpu; split a model over two cards; move a model to a device
check: check whether a model works; test a model on this machine; verify a downloaded model; find out if a model is broken; examine a model for problems
export: export models; write models into an archive; take models to an offline machine; pack models for another computer; carry models on a disk
adopt: use the models of ollama; take over models of LM Studio; adopt models of other programs; reuse models that ollama downloaded; share models with another program
adapter add: add a LoRA adapter; use a lora; load a fine-tuned adapter; put an adapter on a model; register a LoRA file
adapter list: list the LoRA adapters; see which adapters there are; show my loras; know which adapters a model has; get an overview of the adapters
adapter rm: remove a LoRA adapter; forget an adapter; delete a lora; take an adapter off; get rid of an adapter
top: watch requests as they happen; see live tokens per second; monitor the server live; watch what the server does; follow the load of the server
simulate add: simulate errors; make requests fail on purpose; simulate a rate limit; test how my app handles failures; inject trouble for a test key
simulate list: list the simulations; see what is simulated; show simulated errors; know which failures are simulated; see all simulated trouble
simulate rm: stop a simulation; remove a simulated error; end simulated failures; no longer simulate errors; delete a simulation
audit: see who changed a setting; know who created a key; show the audit log; verify that nobody edited the audit log; follow management actions; find out who deleted a webhook; export the audit log
usage: see how many tokens I used; show usage by model; know what each key used; get statistics of requests; see my consumption over time
config add: add a value to a list setting; allow another origin; add a host to allowed_hosts; append to a setting; allow one more host
config remove: remove a value from a list setting; no longer allow an origin; take a host off allowed_hosts; delete one value of a list setting; disallow an origin
secrets list: list the secrets; see which secrets askd keeps; show where secrets are stored; know which passwords are saved; get an overview of the secrets
secrets set: set a secret; store a password; keep a secret in the keyring; save credentials safely; enter a secret value
secrets rm: forget a secret; delete a secret; remove a stored password; erase a secret; get rid of a credential
secrets migrate: move secrets out of the configuration; put all secrets into the keyring; migrate my secrets; get passwords out of the config file; transfer secrets to the keyring
backup: back up askd; make a backup; save all my data to a file; write a backup archive; keep a copy of everything
restore: restore a backup; bring a backup back; check a backup file; recover my data; get everything back from a backup
uninstall: uninstall askd; remove everything askd wrote; delete askd from this machine; clean up all files of askd; get rid of askd completely
update: get a newer askd; update askd; look for a newer version; upgrade askd; know whether askd is up to date; install the latest askd
version: see the version; know which version I have; print the version; check the version of askd; find out how new my askd is
`;

export const GOALS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  LINES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', goals = ''] = line.split(': ');
      return [name, goals.split('; ')];
    }),
);

const FRAME_LINES = `
how do I {}?
How do I {}?
how can I {}
How can I {}?
how to {}
How should I {}?
how does one {}?
hey, how would one {}?
What is the command to {}?
What command do I use to {}?
which command lets me {}?
Which command do I run to {}?
What do I run to {}
What do I type to {}?
What must I enter to {}?
I want to {}.
I need to {}
I would like to {}. How?
I'd like to {}
I am trying to {}.
Now I have to {}.
Please tell me how to {}.
tell me how I {}
Can you show me how to {}?
Show me how to {}.
Could you tell me how to {}?
Explain how to {}.
Please explain how I can {}
Give me the command to {}.
What if I want to {}?
the command if I need to {}?
is there a way to {}?
What is the best way to {}?
Can I {}?
Can askd {}?
with askd, how do I {}?
How do I {} in askd?
How do I {} with the command line?
{}
{}?
{} please
{} - how?
Can you help me {}?
I need help to {}
My goal is to {}.
Hello! How do I {}?
How do I {}? Thanks!
What should I run to {}?
help me {}
Tell me the command if I want to {}.
Could you explain how I {}?
`;

/** Phrases around a goal: the last four are held out for evaluation. */
export const FRAMES = FRAME_LINES.trim()
  .split('\n')
  .map((frame) => (goal: string) => frame.replace('{}', goal));
export const FRAMES_HELD = 4;
