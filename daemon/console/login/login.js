const message = document.getElementById('message');
const code = location.hash.slice(1);

// Out of the address bar and the history before anything else.
history.replaceState(null, '', location.pathname);
if (code === '') say('To sign in, run this on the machine of the daemon: askd dashboard');
else await signIn();

async function signIn() {
  say('Signing in…');
  const response = await fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => undefined);
  if (response === undefined) return say('The daemon does not answer. Start it: askd up');
  if (response.ok) return location.replace('/dashboard');
  const { error } = await response.json();
  message.classList.add('wrong');
  say(error.message);
}

function say(text) {
  message.textContent = text;
}
