import { readPackages } from './packages.ts';

/** Name, version, platform, graphics, bytes of the archive and its hash. Made by `npm run pin:engines`. */
export const VISION_PACKAGES = readPackages(`
@fugood/llama.node 1.7.15 any any 1609924 sha512-Mm2Pd2EsLhgTxoX6N4CxtcXGmcB4jAabw915F6UdvYQbSf6dQmudaQDVWjnN4j/xBAja7QgYSadxZCMPAaJypA==
@fugood/node-llama-darwin-arm64 1.7.15 darwin-arm64 any 3740014 sha512-4wkpEz9tYWo1xPm/s80L1P9wkqiup1J06zGeQLy4E02BbQK8fl3DqwQVOIGUWD3E2QfDJZ8MmaFSrqK7eOTiYQ==
@fugood/node-llama-darwin-x64 1.7.15 darwin-x64 any 4045955 sha512-AlrB8VsZYja1XH1oY5UdCrET6PYSb6eNQ6wQrLrkajb0OPHNYnYllcuTP0/ZXDUPA9XObV2ofpm9irH4MM2Szg==
@fugood/node-llama-linux-arm64 1.7.15 linux-arm64 any 3907760 sha512-JYTVNg/9n0VqIHy/k79OMIWztehGEQWv3ZKuW8SigVfnsEGPS9BAZz+5fudahn1vsoKZ7SigUQRxdjWV7Ywfpw==
@fugood/node-llama-linux-arm64-cuda 1.7.15 linux-arm64 cuda 72006511 sha512-FgpfNHEjrbE1ZowdsF1w6zGBW8MoS/lgC8jpQNE4Yb7vJIOJRkxTTaFqEZS9F+7KPDjimzkXIroW9vCpU3r3VQ==
@fugood/node-llama-linux-arm64-vulkan 1.7.15 linux-arm64 vulkan 19502740 sha512-h9YAq6ekHfgf2Is9rzzlffLHbZ+QAFffDGhyYxi7j4w5vM5DXRt4ckySUcC+cEVjGyZ4a+NvgBocwkfHrKdkBQ==
@fugood/node-llama-linux-x64 1.7.15 linux-x64 any 4140914 sha512-UoWfQ/ILCHAg+RXnESB2wrmf/Y+gXbdsIh7eq4qIRTI91FQfUvrxQD3eBmIJ22Fvv66K0yoNcj336ZjFFXTrCQ==
@fugood/node-llama-linux-x64-cuda 1.7.15 linux-x64 cuda 72381790 sha512-nIh/hVwlgvnvjpk1p5PzclHuP3R/ekZYW2MGa+zvuVnkdlE0jgblh0c4WWw6N9a0S7uwCHaigHSZgRSnWJlqsA==
@fugood/node-llama-linux-x64-vulkan 1.7.15 linux-x64 vulkan 19813996 sha512-M+oewuXfzmaIdMPm7loNGebk5GXdn+wZhXB+13CRRDNxdZx3oH09kpa1szhGhDwwbKjfS9XgDI9RZkNdhk27tQ==
@fugood/node-llama-win32-arm64 1.7.15 win32-arm64 any 3942861 sha512-2NMZUPT9B626T+j5MMVr1hJJXVoM71crHB92Z0Fc6LVX6ODfFdD8McTJEt5mFW3bAl34aViWy9kCZ6N79n5NFQ==
@fugood/node-llama-win32-arm64-vulkan 1.7.15 win32-arm64 vulkan 15056278 sha512-lC9UC+LOp+YZrBCy6z331Y8hGX8RkbOkFbckF+iFQxKlj1ywbPfyFLeNtROP7F/B4e7L82gYiBmEic/dWhVt1A==
@fugood/node-llama-win32-x64 1.7.15 win32-x64 any 3780042 sha512-bLg5ytmeJlHtyZq2wSn6rs0xQYwegQglDVQJw5Rdu7yfswkq6dN5e6SjghO79wx12haHGOZfpKNszzEyXM9HMw==
@fugood/node-llama-win32-x64-cuda 1.7.15 win32-x64 cuda 112481856 sha512-wC4B+i5OnGRJzqBVGKiYW5r7AGZPbhvJ7mj3G1E1Pwxy/Xbbfq78gHLcoNy1UASaZ6mbvPADn/FvxEX5xWP0IQ==
@fugood/node-llama-win32-x64-vulkan 1.7.15 win32-x64 vulkan 15339260 sha512-43rznwE8ffeZzK6pJhhqh6FIIV0s31ucfggGFa8qpIgWO1rKQeeed1ApnZN5Ik8kb3pnMCbGSive/0JPRWkuVQ==
`);
