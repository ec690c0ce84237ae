/**
 * Countries and territories (ISO 3166), Australia first, then alphabetically: English name, codes of two and three letters,
 * and other names by which people know them.
 */
export const countryTable: readonly (readonly string[])[] = `
  Australia|AU|AUS|Commonwealth of Australia
  Afghanistan|AF|AFG
  Åland Islands|AX|ALA
  Albania|AL|ALB
  Algeria|DZ|DZA
  American Samoa|AS|ASM
  Andorra|AD|AND
  Angola|AO|AGO
  Anguilla|AI|AIA
  Antarctica|AQ|ATA
  Antigua and Barbuda|AG|ATG
  Argentina|AR|ARG
  Armenia|AM|ARM
  Aruba|AW|ABW
  Austria|AT|AUT
  Azerbaijan|AZ|AZE
  Bahamas|BS|BHS|The Bahamas
  Bahrain|BH|BHR
  Bangladesh|BD|BGD
  Barbados|BB|BRB
  Belarus|BY|BLR
  Belgium|BE|BEL
  Belize|BZ|BLZ
  Benin|BJ|BEN
  Bermuda|BM|BMU
  Bhutan|BT|BTN
  Bolivia|BO|BOL
  Bosnia and Herzegovina|BA|BIH
  Botswana|BW|BWA
  Bouvet Island|BV|BVT
  Brazil|BR|BRA
  British Indian Ocean Territory|IO|IOT
  British Virgin Islands|VG|VGB
  Brunei|BN|BRN|Brunei Darussalam
  Bulgaria|BG|BGR
  Burkina Faso|BF|BFA
  Burundi|BI|BDI
  Cabo Verde|CV|CPV|Cape Verde
  Cambodia|KH|KHM
  Cameroon|CM|CMR
  Canada|CA|CAN
  Caribbean Netherlands|BQ|BES
  Cayman Islands|KY|CYM
  Central African Republic|CF|CAF
  Chad|TD|TCD
  Chile|CL|CHL
  China|CN|CHN|PRC|Mainland China|People's Republic of China
  Christmas Island|CX|CXR
  Cocos (Keeling) Islands|CC|CCK
  Colombia|CO|COL
  Comoros|KM|COM
  Congo|CG|COG|Republic of the Congo|Congo-Brazzaville
  Congo, Democratic Republic|CD|COD|DRC|DR Congo|Democratic Republic of the Congo|Congo-Kinshasa|Zaire
  Cook Islands|CK|COK
  Costa Rica|CR|CRI
  Côte d'Ivoire|CI|CIV|Ivory Coast
  Croatia|HR|HRV
  Cuba|CU|CUB
  Curaçao|CW|CUW
  Cyprus|CY|CYP
  Czechia|CZ|CZE|Czech Republic
  Denmark|DK|DNK
  Djibouti|DJ|DJI
  Dominica|DM|DMA
  Dominican Republic|DO|DOM
  Ecuador|EC|ECU
  Egypt|EG|EGY
  El Salvador|SV|SLV
  Equatorial Guinea|GQ|GNQ
  Eritrea|ER|ERI
  Estonia|EE|EST
  Eswatini|SZ|SWZ|Swaziland
  Ethiopia|ET|ETH
  Falkland Islands|FK|FLK
  Faroe Islands|FO|FRO
  Fiji|FJ|FJI
  Finland|FI|FIN
  France|FR|FRA
  French Guiana|GF|GUF
  French Polynesia|PF|PYF
  French Southern Territories|TF|ATF
  Gabon|GA|GAB
  Gambia|GM|GMB|The Gambia
  Georgia|GE|GEO
  Germany|DE|DEU
  Ghana|GH|GHA
  Gibraltar|GI|GIB
  Greece|GR|GRC
  Greenland|GL|GRL
  Grenada|GD|GRD
  Guadeloupe|GP|GLP
  Guam|GU|GUM
  Guatemala|GT|GTM
  Guernsey|GG|GGY
  Guinea|GN|GIN
  Guinea-Bissau|GW|GNB
  Guyana|GY|GUY
  Haiti|HT|HTI
  Heard Island and McDonald Islands|HM|HMD
  Honduras|HN|HND
  Hong Kong|HK|HKG|Hong Kong SAR
  Hungary|HU|HUN
  Iceland|IS|ISL
  India|IN|IND
  Indonesia|ID|IDN
  Iran|IR|IRN
  Iraq|IQ|IRQ
  Ireland|IE|IRL|Eire|Republic of Ireland
  Isle of Man|IM|IMN
  Israel|IL|ISR
  Italy|IT|ITA
  Jamaica|JM|JAM
  Japan|JP|JPN
  Jersey|JE|JEY
  Jordan|JO|JOR
  Kazakhstan|KZ|KAZ
  Kenya|KE|KEN
  Kiribati|KI|KIR
  Kosovo|XK|UNK
  Kuwait|KW|KWT
  Kyrgyzstan|KG|KGZ
  Laos|LA|LAO|Lao PDR|Lao People's Democratic Republic
  Latvia|LV|LVA
  Lebanon|LB|LBN
  Lesotho|LS|LSO
  Liberia|LR|LBR
  Libya|LY|LBY
  Liechtenstein|LI|LIE
  Lithuania|LT|LTU
  Luxembourg|LU|LUX
  Macao|MO|MAC|Macau|Macau SAR
  Madagascar|MG|MDG
  Malawi|MW|MWI
  Malaysia|MY|MYS
  Maldives|MV|MDV
  Mali|ML|MLI
  Malta|MT|MLT
  Marshall Islands|MH|MHL
  Martinique|MQ|MTQ
  Mauritania|MR|MRT
  Mauritius|MU|MUS
  Mayotte|YT|MYT
  Mexico|MX|MEX
  Micronesia|FM|FSM|Federated States of Micronesia
  Moldova|MD|MDA
  Monaco|MC|MCO
  Mongolia|MN|MNG
  Montenegro|ME|MNE
  Montserrat|MS|MSR
  Morocco|MA|MAR
  Mozambique|MZ|MOZ
  Myanmar|MM|MMR|Burma
  Namibia|NA|NAM
  Nauru|NR|NRU
  Nepal|NP|NPL
  Netherlands|NL|NLD|Holland
  New Caledonia|NC|NCL
  New Zealand|NZ|NZL|Aotearoa
  Nicaragua|NI|NIC
  Niger|NE|NER
  Nigeria|NG|NGA
  Niue|NU|NIU
  Norfolk Island|NF|NFK
  North Korea|KP|PRK|DPRK|Democratic People's Republic of Korea
  North Macedonia|MK|MKD|Macedonia
  Northern Mariana Islands|MP|MNP
  Norway|NO|NOR
  Oman|OM|OMN
  Pakistan|PK|PAK
  Palau|PW|PLW
  Palestine|PS|PSE
  Panama|PA|PAN
  Papua New Guinea|PG|PNG
  Paraguay|PY|PRY
  Peru|PE|PER
  Philippines|PH|PHL|The Philippines
  Pitcairn Islands|PN|PCN
  Poland|PL|POL
  Portugal|PT|PRT
  Puerto Rico|PR|PRI
  Qatar|QA|QAT
  Reunion|RE|REU|La Réunion
  Romania|RO|ROU
  Russia|RU|RUS|Russian Federation
  Rwanda|RW|RWA
  Saint Barthélemy|BL|BLM
  Saint Helena|SH|SHN
  Saint Kitts and Nevis|KN|KNA
  Saint Lucia|LC|LCA
  Saint Martin|MF|MAF
  Saint Pierre and Miquelon|PM|SPM
  Saint Vincent and the Grenadines|VC|VCT
  Samoa|WS|WSM
  San Marino|SM|SMR
  Sao Tome and Principe|ST|STP
  Saudi Arabia|SA|SAU|KSA
  Senegal|SN|SEN
  Serbia|RS|SRB
  Seychelles|SC|SYC
  Sierra Leone|SL|SLE
  Singapore|SG|SGP
  Sint Maarten|SX|SXM
  Slovakia|SK|SVK
  Slovenia|SI|SVN
  Solomon Islands|SB|SLB
  Somalia|SO|SOM
  South Africa|ZA|ZAF
  South Georgia and the South Sandwich Islands|GS|SGS
  South Korea|KR|KOR|Korea|Republic of Korea
  South Sudan|SS|SSD
  Spain|ES|ESP
  Sri Lanka|LK|LKA
  Sudan|SD|SDN
  Suriname|SR|SUR
  Svalbard and Jan Mayen|SJ|SJM
  Sweden|SE|SWE
  Switzerland|CH|CHE|Swiss Confederation
  Syria|SY|SYR|Syrian Arab Republic
  Taiwan|TW|TWN|Republic of China|Taiwan, Province of China|Chinese Taipei
  Tajikistan|TJ|TJK
  Tanzania|TZ|TZA
  Thailand|TH|THA
  Timor-Leste|TL|TLS|East Timor
  Togo|TG|TGO
  Tokelau|TK|TKL
  Tonga|TO|TON
  Trinidad and Tobago|TT|TTO
  Tunisia|TN|TUN
  Türkiye|TR|TUR|Turkey
  Turkmenistan|TM|TKM
  Turks and Caicos Islands|TC|TCA
  Tuvalu|TV|TUV
  Uganda|UG|UGA
  Ukraine|UA|UKR
  United Arab Emirates|AE|ARE|UAE|Emirates
  United Kingdom|GB|GBR|UK|United Kingdom of Great Britain and Northern Ireland|Great Britain|Britain|England|Scotland|Wales|Northern Ireland
  United States|US|USA|U.S.|United States of America|America
  Uruguay|UY|URY
  US Minor Outlying Islands|UM|UMI
  US Virgin Islands|VI|VIR
  Uzbekistan|UZ|UZB
  Vanuatu|VU|VUT
  Vatican City|VA|VAT|Vatican|Holy See
  Venezuela|VE|VEN
  Vietnam|VN|VNM|Viet Nam
  Wallis and Futuna|WF|WLF
  Western Sahara|EH|ESH
  Yemen|YE|YEM
  Zambia|ZM|ZMB
  Zimbabwe|ZW|ZWE
`
  .trim()
  .split("\n")
  .map((row) => row.trim().split("|"));

/** The names that are stored and displayed. */
export const countries: readonly string[] = countryTable.map(([name = ""]) => name);

/** A state or territory: the stored code and the displayed name. */
export interface StateEntry {
  readonly value: string;
  readonly label: string;
}

/**
 * States and territories of countries with a fixed list. In other countries, State is free text
 * (docs/domain.md#customer-details).
 */
export const statesByCountry: Readonly<Record<string, readonly StateEntry[]>> = {
  Australia: ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"].map((value) => ({ value, label: value })),
  "United States": `
    AL Alabama; AK Alaska; AS American Samoa; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut;
    DE Delaware; DC District of Columbia; FL Florida; GA Georgia; GU Guam; HI Hawaii; ID Idaho; IL Illinois;
    IN Indiana; IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; MD Maryland; MA Massachusetts; MI Michigan;
    MN Minnesota; MS Mississippi; MO Missouri; MT Montana; NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey;
    NM New Mexico; NY New York; NC North Carolina; ND North Dakota; MP Northern Mariana Islands; OH Ohio; OK Oklahoma;
    OR Oregon; PA Pennsylvania; PR Puerto Rico; RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee;
    TX Texas; UT Utah; VT Vermont; VI US Virgin Islands; VA Virginia; WA Washington; WV West Virginia; WI Wisconsin;
    WY Wyoming
  `
    .split(";")
    .map((row) => row.trim())
    .map((row) => ({ value: row.slice(0, 2), label: row.slice(3) })),
};
