export const EXAMPLES = [
  {
    name: 'How to reset a password',
    query: 'How do I reset my password?',
    documents: `To change your password, open Settings and choose Security.
Our office is open from nine to five on weekdays.
If you forgot your password, ask for a link that sets a new one.
Passwords must have at least twelve characters.
The quarterly report shows higher revenue.`,
  },
  {
    name: 'Which planet is largest',
    query: 'Which planet is the largest?',
    documents: `Mars is called the red planet.
Jupiter is more massive than all the other planets together.
A year on Mercury takes 88 days.
The largest planet of our system is Jupiter.
Planets move around their star on ellipses.`,
  },
];
