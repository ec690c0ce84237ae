/**
 * Invented people, companies and places. The names vary widely to show whether any screen has trouble displaying them.
 */

export type Address = readonly [
  streetNumber: string,
  streetName: string,
  city: string,
  state: string,
  postCode: string,
];

/** A country, its phone number format, in which `#` stands for a digit, and addresses in it. */
type Place = readonly [country: string, phone: string, addresses: readonly Address[]];

export const places = {
  au: [
    "Australia",
    "+61 4## ### ###",
    [
      ["120", "Eagle Street", "Brisbane", "QLD", "4000"],
      ["14", "Collins Street", "Melbourne", "VIC", "3000"],
      ["201", "Kent Street", "Sydney", "NSW", "2000"],
      ["77", "St Georges Terrace", "Perth", "WA", "6000"],
      ["5", "King William Street", "Adelaide", "SA", "5000"],
      ["33", "Northbourne Avenue", "Canberra", "ACT", "2601"],
      ["9", "Salamanca Place", "Hobart", "TAS", "7000"],
      ["18", "Mitchell Street", "Darwin", "NT", "0800"],
    ],
  ],
  us: [
    "United States",
    "+1 713 555 0###",
    [
      ["1200", "Smith Street", "Houston", "TX", "77002"],
      ["455", "Market Street", "San Francisco", "CA", "94105"],
      ["88", "Pine Street", "Seattle", "WA", "98101"],
    ],
  ],
  gb: [
    "United Kingdom",
    "+44 7700 900###",
    [
      ["22", "Bishopsgate", "London", "Greater London", "EC2N 4AJ"],
      ["4", "Queen's Road", "Aberdeen", "Aberdeenshire", "AB15 4YF"],
    ],
  ],
  nz: ["New Zealand", "+64 21 555 ###", [["48", "Shortland Street", "Auckland", "Auckland", "1010"]]],
  jp: ["Japan", "+81 90 5555 0###", [["2-4-1", "丸の内", "千代田区", "東京都", "100-0005"]]],
  cn: ["China", "+86 138 0000 0###", [["88", "世纪大道", "上海", "上海市", "200120"]]],
  kr: ["South Korea", "+82 10 5555 0###", [["152", "테헤란로", "강남구", "서울특별시", "06236"]]],
  de: ["Germany", "+49 151 5555 0###", [["17", "Große Bleichen", "Hamburg", "Hamburg", "20354"]]],
  in: ["India", "+91 98555 50###", [["41", "Residency Road", "Bengaluru", "Karnataka", "560025"]]],
  ae: ["United Arab Emirates", "+971 50 555 0###", [["3", "Al Maktoum Road", "Dubai", "Dubai", "00000"]]],
  br: ["Brazil", "+55 11 95555 0###", [["1000", "Avenida Paulista", "São Paulo", "SP", "01310-100"]]],
  pl: ["Poland", "+48 512 555 ###", [["8", "Świętokrzyska", "Łódź", "łódzkie", "90-001"]]],
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
