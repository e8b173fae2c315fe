const message = document.getElementById('message');
const account = document.getElementById('account');
const signOut = document.getElementById('sign-out');

await show();

async function show() {
  say('Loading…');
  try {
    const [wallet, keys, { sessions }] = await Promise.all([
      call('GET', '/api/wallet'),
      call('GET', '/api/keys'),
      call('GET', '/api/sessions'),
    ]);
    showWallet(wallet);
    fill('keys', keys.map(keyCells), 'No keys yet.');
    fill('sessions', sessions.map(sessionCells), 'No sessions.');
    const current = sessions.find((session) => session.current);
    signOut.onclick = () => end(current.id);
    account.hidden = signOut.hidden = false;
    say('');
  } catch (error) {
    account.hidden = signOut.hidden = true;
    say(error.message);
  }
}

function showWallet({ balance, transactions, notices }) {
  document.getElementById('balance').textContent = credits(balance.balance);
  document.getElementById('held').textContent =
    balance.held > 0 ? `(${credits(balance.held)} held for running requests)` : '';
  document.getElementById('notices').replaceChildren(
    ...notices.map(({ created_at: at, message }) => {
      const item = document.createElement('li');
      item.textContent = `${when(at)}: ${message}`;
      return item;
    }),
  );
  fill('transactions', transactions.map(transactionCells), 'No transactions yet.');
}

function transactionCells({ created_at: at, description, amount, balance_after: after }) {
  return [when(at), description, credits(amount), credits(after)];
}

/** Two places, and more where two would show nothing. */
function credits(amount) {
  const isSmall = amount !== 0 && Math.abs(amount) < 0.01;
  return amount.toLocaleString(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: isSmall ? 9 : 2,
  });
}

function keyCells({ name, key_prefix: prefix, scopes, is_active: isActive, expires_at: endsAt, ...key }) {
  const isOver = endsAt !== null && Date.parse(endsAt) <= Date.now();
  const state = isOver ? 'expired' : isActive ? 'active' : 'off';
  return [name, `${prefix}…`, scopes.join(', '), state, when(key.last_used_at)];
}

function sessionCells(session) {
  const opener = session.kind === 'script' ? 'command line' : (session.user_agent ?? 'a browser');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = session.current ? 'Sign out' : 'End';
  button.setAttribute('aria-label', `${button.textContent}: ${opener}, opened ${when(session.created_at)}`);
  button.onclick = () => end(session.id);
  return [
    session.current ? `${opener} (this one)` : opener,
    when(session.created_at),
    when(session.last_seen_at),
    when(session.expires_at),
    button,
  ];
}

async function end(id) {
  try {
    await call('DELETE', `/api/sessions/${encodeURIComponent(id)}`);
  } catch (error) {
    return say(error.message);
  }
  await show();
}

async function call(method, path) {
  const response = await fetch(path, { method }).catch(() => undefined);
  if (response === undefined) throw new Error('The daemon does not answer. Start it: askd up');
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  return body;
}

/** Everything goes in as text, so that a name can be no markup. */
function fill(id, rows, emptyText) {
  const body = document.querySelector(`#${id} tbody`);
  const columns = document.querySelectorAll(`#${id} th`).length;
  body.replaceChildren(...rows.map(toRow));
  if (rows.length > 0) return;
  const row = toRow([emptyText]);
  row.cells[0].colSpan = columns;
  body.append(row);
}

function toRow(cells) {
  const row = document.createElement('tr');
  for (const content of cells) {
    const cell = document.createElement('td');
    cell.append(content);
    row.append(cell);
  }
  return row;
}

function when(iso) {
  return iso === null ? 'never' : new Date(iso).toLocaleString();
}

function say(text) {
  message.textContent = text;
}
