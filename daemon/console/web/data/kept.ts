const DATABASE = 'askd-console';
const STORE = 'kept';

let isForgotten = false;

/** What the page stores in this browser: work that a reload should not lose. It is deleted with the session. */
export async function kept<Value>(key: string): Promise<Value | undefined> {
  return request('readonly', (store) => store.get(key) as IDBRequest<Value | undefined>);
}

export async function keep(key: string, value: unknown): Promise<void> {
  if (!isForgotten) await request('readwrite', (store) => store.put(value, key));
}

/** From now on, nothing is stored until somebody signs in on a new page. */
export async function forgetAll(): Promise<void> {
  isForgotten = true;
  await request('readwrite', (store) => store.clear());
}

async function request<Value>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    return await settled(ask(transaction.objectStore(STORE)));
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return settled(opening);
}

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'));
  });
}
