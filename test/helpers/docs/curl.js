// The curl of the documentation, on machines without one: -H, -d and a URL.
const [url, ...words] = process.argv.slice(2);
const headers = {};
let body;
while (words.length > 0) {
  const [flag, value] = words.splice(0, 2);
  if (flag === '-H') headers[value.slice(0, value.indexOf(':'))] = value.slice(value.indexOf(':') + 1).trim();
  else if (flag === '-d') body = value;
  else throw new Error(`not a flag that is read here: ${flag}`);
}
const response = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body });
console.log(await response.text());
if (!response.ok) process.exitCode = 22;
