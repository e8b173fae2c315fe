// Answers from a folder of texts with LangChain:
//   node examples/ask-documents.js examples/documents "How many inhabitants has Tandleby?"
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda } from '@langchain/core/runnables';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';

const PASSAGES = 2;

// Both read OPENAI_API_KEY.
const configuration = { baseURL: process.env.OPENAI_BASE_URL };
const embeddings = new OpenAIEmbeddings({ model: 'svc-embed-v1', configuration });
const chat = new ChatOpenAI({ model: 'svc-chat-v1', temperature: 0, configuration });

const [folder = 'examples/documents', question = 'How many inhabitants has Tandleby?'] =
  process.argv.slice(2);
const retriever = await indexFolder(folder);
const prompt = ChatPromptTemplate.fromTemplate('Answer from the text:\n\n{context}\n\n{question}');
const chain = prompt.pipe(chat).pipe(new StringOutputParser());

const passages = await retriever.invoke(question);
const context = passages.map(({ pageContent }) => pageContent).join('\n');
console.log(await chain.invoke({ context, question }));
const sources = new Set(passages.map(({ metadata }) => metadata.source));
console.log(`Sources: ${[...sources].join(', ')}`);

/** A retriever over the paragraphs of every text in the folder. */
async function indexFolder(folder) {
  const documents = await readParagraphs(folder);
  const vectors = await embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent));
  return RunnableLambda.from(async (query) => {
    const wanted = await embeddings.embedQuery(query);
    return documents
      .map((document, index) => ({ document, score: dot(wanted, vectors[index]) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, PASSAGES)
      .map(({ document }) => document);
  });
}

async function readParagraphs(folder) {
  const files = (await readdir(folder)).filter((file) => /\.(md|txt)$/.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return texts.flatMap((text, index) =>
    text
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
      .map((pageContent) => new Document({ pageContent, metadata: { source: files[index] } })),
  );
}

/** Vectors from askd have length 1, so this is their cosine similarity. */
function dot(a, b) {
  return a.reduce((sum, value, index) => sum + value * b[index], 0);
}
