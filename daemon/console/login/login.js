const message = document.getElementById('message');
const provider = document.getElementById('provider');
const code = location.hash.slice(1);
const query = new URLSearchParams(location.search);

// Removed from the address bar and the history before anything else.
history.replaceState(null, '', location.pathname);
if (query.has('state')) await finishAtProvider();
else if (code !== '') await signIn('/api/login', { code });
else if (provider === null) say('To sign in, run this on the daemon’s machine: askd dashboard');
else offerProvider('Members of an account sign in here.');

function offerProvider(text) {
  if (text) say(text);
  provider.hidden = false;
  provider.onclick = goToProvider;
}

async function goToProvider() {
  provider.disabled = true;
  const account = query.get('account');
  const answer = await post('/api/login/oidc', account === null ? {} : { account });
  if (answer !== undefined) return location.assign(answer.url);
  provider.disabled = false;
}

async function finishAtProvider() {
  const answer = ['state', 'code', 'iss', 'error'].map((name) => [name, query.get(name)]);
  await signIn('/api/login/oidc/finish', Object.fromEntries(answer.filter(([, value]) => value)));
}

async function signIn(path, body) {
  say('Signing in…');
  const answer = await post(path, body);
  if (answer !== undefined) return location.replace('/dashboard');
  if (provider !== null) offerProvider();
}

/** Undefined after a failure, which the page shows. */
async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  message.classList.toggle('wrong', response !== undefined && !response.ok);
  if (response === undefined) return void say('The daemon does not answer. Start it: askd up');
  if (response.ok) return response.json();
  const { error } = await response.json();
  say(error.message);
}

function say(text) {
  message.textContent = text;
}
