"""Chats with nothing but Python's standard library:

    python3 examples/chat.py "What is 12 + 31?"
    python3 examples/chat.py --stream "What is 12 + 31?"
"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE_URL = os.environ["OPENAI_BASE_URL"]
API_KEY = os.environ["OPENAI_API_KEY"]


def post(path, body):
    """Sends JSON and returns the open response."""
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    return urlopen(Request(BASE_URL + path, json.dumps(body).encode(), headers))


def request_for(question, **more):
    messages = [{"role": "user", "content": question}]
    return {"model": "svc-chat-v1", "messages": messages, "temperature": 0, **more}


def chat(question):
    """Returns the whole answer."""
    with post("/chat/completions", request_for(question)) as response:
        return json.load(response)["choices"][0]["message"]["content"]


def stream(question):
    """Yields the answer in pieces while the model writes it."""
    with post("/chat/completions", request_for(question, stream=True)) as response:
        for line in response:  # Server-sent events: each is a line "data: JSON", the last is [DONE].
            data = line.decode().removeprefix("data: ").strip()
            if data == "[DONE]":
                return
            if line.startswith(b"data: "):
                chunk = json.loads(data)
                if "error" in chunk:
                    sys.exit(chunk["error"]["message"])
                yield chunk["choices"][0]["delta"].get("content") or ""


def main(arguments):
    question = " ".join(arg for arg in arguments if arg != "--stream") or "What is 12 + 31?"
    pieces = stream(question) if "--stream" in arguments else [chat(question)]
    for piece in pieces:
        print(piece, end="", flush=True)
    print()


try:
    main(sys.argv[1:])
except HTTPError as error:
    sys.exit(json.load(error)["error"]["message"])
except KeyboardInterrupt:
    sys.exit(130)
