/**
 * Invented people, companies and places. The names vary widely to show whether any screen has trouble displaying them.
 */

/** Addresses in a country, and its phone number format, in which `#` stands for a digit. */
export interface Place {
  readonly country: string;
  readonly phone: string;
  readonly addresses: readonly (readonly [
    streetNumber: string,
    streetName: string,
    city: string,
    state: string,
    postCode: string,
  ])[];
}

export const places = {
  au: {
    country: "Australia",
    phone: "+61 4## ### ###",
    addresses: [
      ["120", "Eagle Street", "Brisbane", "QLD", "4000"],
      ["14", "Collins Street", "Melbourne", "VIC", "3000"],
      ["201", "Kent Street", "Sydney", "NSW", "2000"],
      ["77", "St Georges Terrace", "Perth", "WA", "6000"],
      ["5", "King William Street", "Adelaide", "SA", "5000"],
      ["33", "Northbourne Avenue", "Canberra", "ACT", "2601"],
      ["9", "Salamanca Place", "Hobart", "TAS", "7000"],
      ["18", "Mitchell Street", "Darwin", "NT", "0800"],
    ],
  },
  us: {
    country: "United States",
    phone: "+1 713 555 0###",
    addresses: [
      ["1200", "Smith Street", "Houston", "TX", "77002"],
      ["455", "Market Street", "San Francisco", "CA", "94105"],
      ["88", "Pine Street", "Seattle", "WA", "98101"],
    ],
  },
  gb: {
    country: "United Kingdom",
    phone: "+44 7700 900###",
    addresses: [
      ["22", "Bishopsgate", "London", "Greater London", "EC2N 4AJ"],
      ["4", "Queen's Road", "Aberdeen", "Aberdeenshire", "AB15 4YF"],
    ],
  },
  nz: {
    country: "New Zealand",
    phone: "+64 21 555 ###",
    addresses: [["48", "Shortland Street", "Auckland", "Auckland", "1010"]],
  },
  jp: {
    country: "Japan",
    phone: "+81 90 5555 0###",
    addresses: [["2-4-1", "丸の内", "千代田区", "東京都", "100-0005"]],
  },
  cn: { country: "China", phone: "+86 138 0000 0###", addresses: [["88", "世纪大道", "上海", "上海市", "200120"]] },
  kr: {
    country: "South Korea",
    phone: "+82 10 5555 0###",
    addresses: [["152", "테헤란로", "강남구", "서울특별시", "06236"]],
  },
  de: {
    country: "Germany",
    phone: "+49 151 5555 0###",
    addresses: [["17", "Große Bleichen", "Hamburg", "Hamburg", "20354"]],
  },
  in: {
    country: "India",
    phone: "+91 98555 50###",
    addresses: [["41", "Residency Road", "Bengaluru", "Karnataka", "560025"]],
  },
  ae: {
    country: "United Arab Emirates",
    phone: "+971 50 555 0###",
    addresses: [["3", "Al Maktoum Road", "Dubai", "Dubai", "00000"]],
  },
  br: {
    country: "Brazil",
    phone: "+55 11 95555 0###",
    addresses: [["1000", "Avenida Paulista", "São Paulo", "SP", "01310-100"]],
  },
  pl: { country: "Poland", phone: "+48 512 555 ###", addresses: [["8", "Świętokrzyska", "Łódź", "łódzkie", "90-001"]] },
} as const satisfies Record<string, Place>;

/** First name, last name, part of the email address before the `@`, and country. */
export type Person = readonly [firstName: string, lastName: string, mailbox: string, place: keyof typeof places];

export const regularPeople: readonly Person[] = [
  ["Siobhán", "O'Brien", "siobhan.obrien", "au"],
  ["伟", "王", "wei.wang", "cn"],
  ["Matthew", "Nguyen", "m.nguyen", "au"],
  ["Priya", "Raghunathan", "priya.r", "in"],
  ["François", "Lefèvre", "francois", "au"],
  ["美咲", "佐藤", "misaki.sato", "jp"],
  ["Jack", "D'Arcy-Smith", "jack", "au"],
  ["Zoë", "Ångström", "zoe.angstrom", "de"],
  ["Liam", "Campbell", "liam.campbell", "au"],
  ["Chidi", "Okonkwo-Eze", "chidi", "gb"],
  ["서연", "김", "seoyeon.kim", "kr"],
  ["Olivia", "Hart", "olivia.hart", "au"],
  ["Søren", "Kjærgaard", "soren", "de"],
  ["Tane", "Parata", "tane.parata", "nz"],
  ["Isabella", "Rossi", "isabella", "au"],
  ["Wojciech", "Świątek", "wojciech", "pl"],
  ["Grace", "Abbott", "grace.abbott", "au"],
  ["Mohammed", "Al-Rashid", "m.alrashid", "ae"],
  ["Emily", "Nakamura-Jones", "emily.nj", "us"],
  ["Callum", "MacLeod", "callum", "gb"],
  ["芳", "李", "fang.li", "cn"],
  ["Ethan", "Walker", "ethan.walker", "au"],
  ["Beatriz", "Gonçalves", "beatriz", "br"],
  ["Hugh", "St John", "hugh.stjohn", "gb"],
  ["Ruby", "Patterson", "ruby", "au"],
  ["Anil", "Deshpande", "anil.d", "in"],
  ["Charlotte", "Vandenberg", "charlotte.v", "au"],
  ["健太", "田中", "kenta.tanaka", "jp"],
  ["Noah", "Fitzgerald", "noah.fitzgerald", "us"],
  ["Amelia", "Te Aho", "amelia.teaho", "nz"],
  ["Jürgen", "Müller-Lüdenscheidt", "juergen", "de"],
  ["Sophie", "Turnbull", "sophie.turnbull", "au"],
  ["Xiù Yīng", "Zhào", "xiuying", "au"],
  ["Declan", "O'Shaughnessy", "declan", "gb"],
  ["Mia", "Papadopoulos", "mia.p", "au"],
  ["Rafael", "Araújo", "rafael", "br"],
  ["Harper", "Lindqvist", "harper", "us"],
  ["Bo", "Yu", "bo.yu", "au"],
  ["Katarzyna", "Wiśniewska", "kasia", "pl"],
  ["Lachlan", "Murray", "lachlan.murray", "au"],
  ["Fatima", "El Amrani", "fatima", "ae"],
  ["Maximilian-Alexander", "Hohenlohe-Langenburg-Oettingen", "max", "de"],
];

export const corporatePeople: readonly Person[] = [
  ["Margaret", "Holloway", "margaret.holloway", "au"],
  ["David", "Chen", "david.chen", "au"],
  ["Ngaire", "Williams", "ngaire", "nz"],
  ["直樹", "山本", "naoki.yamamoto", "jp"],
  ["Robert", "Kowalski", "rkowalski", "us"],
  ["Aisha", "Rahman", "aisha.rahman", "ae"],
  ["Stephen", "O'Connell", "s.oconnell", "gb"],
  ["Yvonne", "Brandt", "yvonne.brandt", "de"],
  ["Thomas", "Ferreira", "thomas.ferreira", "br"],
  ["Helen", "Papas", "helen.papas", "au"],
];

export const adminPeople: readonly Person[] = [
  ["Morgan", "Reyes", "morgan", "au"],
  ["Jun", "Watanabe", "jun", "au"],
];

export const companies = [
  "Meridian Rail Delivery",
  "Southern Cross Tunnelling",
  "Harbour & Sons Constructions",
  "Kestrel Project Controls",
  "Ironbark Mining Services",
  "Northgate Water Alliance",
  "Blue Gum Renewables",
  "Pacific Dredging Joint Venture",
  "O'Leary Scheduling",
  "Tindal Defence Infrastructure",
  "Banksia Hospitals Programme",
  "Corvid Planning Consultants",
  "Lighthouse Marine Works",
  "Quartz Ridge Gold",
  "Émile & Partners",
  "大和建設",
  "Terra Firma Geotechnical",
  "Wattle Street Developments",
] as const;

export const positions = [
  "Planner",
  "Senior Planner",
  "Project Controls Manager",
  "Scheduler",
  "Planning Engineer",
  "Contracts Administrator",
  "Project Manager",
  "Programme Director",
] as const;
