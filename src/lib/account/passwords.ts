import { MESSAGES } from '../messages.ts'

const MIN_GOOD_LENGTH = 8
const SEQUENCES = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '01234567890']
const NEIGHBOUR_PAIRS = new Set(
  SEQUENCES.flatMap(keys =>
    [...keys].slice(1).flatMap((key, index) => [`${keys[index]}${key}`, `${key}${keys[index]}`])
  )
)

export function findPasswordAdvice(password: string): string | undefined {
  const typed = password.trim().toLowerCase()
  if (typed === '') return undefined
  if (isCommon(typed)) return MESSAGES.passwordCommon
  if (isPattern(typed)) return MESSAGES.passwordPattern
  return typed.length < MIN_GOOD_LENGTH ? MESSAGES.passwordShort : undefined
}

// Also matches variants such as `Priya@1987` and `p4ssw0rd!`.
function isCommon(typed: string): boolean {
  const word = typed.replace(/^[^a-z]{0,4}/, '').replace(/[^a-z]{0,6}$/, '')
  return [typed, undoSubstitutions(typed), undoSubstitutions(typed.replace(/[^a-z]{0,6}$/, '')), word].some(variant =>
    COMMON_PASSWORDS.has(variant)
  )
}

function undoSubstitutions(typed: string): string {
  const letters: Record<string, string> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's'
  }
  return typed.replace(/[013457@$]/g, character => letters[character] ?? character)
}

function isPattern(typed: string): boolean {
  const keys = [...typed.replace(/[\s\p{P}\p{S}]/gu, '')]
  const pairs = keys.filter((key, index) => NEIGHBOUR_PAIRS.has(`${keys[index - 1]}${key}`)).length
  return /^\d+$/.test(typed) || /^(.{1,4})\1+.?$/.test(typed) || pairs > keys.length * 0.7
}

/** Lower-case passwords. The list has about 6 kB when compressed, so only forms for a new password load it. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
123456 1234567 12345678 123456789 1234567890 12345 1234 0123456789 987654321 87654321 7654321 654321 0987654321 111111
1111111 11111111 000000 00000000 222222 333333 444444 555555 666666 777777 7777777 888888 88888888 999999 99999999 112233
121212 123123 123123123 123321 123654 131313 101010 147258 147258369 147852 159357 159753 159951 232323 246810 252525 258456
420420 456123 456789 741852963 789456 789456123 852456 963852741 987654 998877 102030 100200 110011 112358 123789 124578
135790 135792468 142536 159263 192837465 202020 212121 300000 321321 314159 369258147 456456 500000 515050 696969 786786
789789 909090 919191 990099 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 123qwe 12qwaszx 123abc 1a2b3c a1b2c3 abc123 abcd1234
q1w2e3 q1w2e3r4 qwe123 qwer1234 qwerty qwerty1 qwerty12 qwerty123 qwertyu qwertyui qwertyuiop qwertz qweasd qweasdzxc qazwsx
qazwsxedc qwaszx asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdasd asd123 zxcvbn zxcvbnm zxcvb zxcasd zaq12wsx
poiuyt poiuytrewq lkjhgf lkjhgfdsa mnbvcx mnbvcxz abcdef abcdefg abcdefgh abcabc aaaaaa aaaaaaaa zzzzzz xxxxxx qqqqqq
password passw0rd pass password1 password12 password123 passwords passpass pass1234 pass123 passcode passme mypassword
mypass newpassword nopassword changeme change default secret secrets letmein letmein1 login logmein access accessme admin
administrator adminadmin admin123 root rootroot toor user username guest guest123 test testing tester test123 testtest temp
temporary welcome welcome1 welcome123 hello hello123 hellohello helloworld hi12345 iloveyou iloveyou1 iloveu iloveme loveyou
loveme lovely love lover lovers lovelove mylove truelove babylove love123 always forever foreverlove together kisses kissme
sweetheart sweety sweetie darling honey baby babygirl babyboy babe princess prince queen king kingking angel angels angel1
heaven devil god godisgreat jesus jesus1 jesuschrist christ blessed blessing faith grace hope peace trustno1 trust trustme
freedom liberty justice truth victory winner champion success lucky lucky7 luckyme happy happy1 happiness smile smiley
sunshine sunshine1 sunny sunset sunrise sunday moon moonlight star stars starlight starwars startrek galaxy universe earth
planet rainbow butterfly flower flowers rose roses lotus lily jasmine daisy orchid tulip cherry strawberry banana apple
apple123 orange mango grapes lemon peach chocolate cookie cookies candy sugar coffee pepper cheese chicken pizza burger
butter popcorn noodles pickle samosa biryani laddu halwa jalebi murukku idli masala chutney coconut cashew pistachio
monkey monkey1 dragon dragon1 tiger tigers lion lions panther leopard cheetah eagle eagles falcon hawk phoenix parrot peacock
dolphin dolphins shark whale turtle rabbit bunny kitty kitten cats mouse horse horses pony puppy doggy buddy bulldog wolf
wolves bear bears panda koala snake cobra viper spider spiderman scorpion elephant buffalo donkey camel
superman batman ironman hulk wolverine avengers captain america thor marvel joker catwoman pokemon pikachu naruto goku
doraemon chotabheem mickey minnie donald snoopy garfield simpsons bart homer barbie shrek nemo frozen harrypotter harry
hogwarts dumbledore gandalf frodo merlin matrix neo trinity morpheus terminator rambo rocky godzilla kingkong jamesbond
bond007 agent007 james007 legend legends warrior warriors knight ninja samurai assassin hunter ranger rangers soldier general
major captain1 commander sniper killer killer1 gangster hacker hacker1 master master1 masterkey boss bigboss thunder
lightning storm hurricane tornado volcano blizzard winter summer spring autumn january february march april may june july
august september october november december monday tuesday wednesday thursday friday saturday birthday christmas newyear
diwali deepavali pongal holi onam eid ramadan easter
football football1 baseball basketball soccer hockey tennis cricket cricket1 golf golfer boxing wrestling swimming runner
sports player players gamer gaming game games playboy poker casino arsenal chelsea chelsea1 liverpool liverpool1 manchester
manutd united barcelona realmadrid madrid juventus milan ronaldo ronaldo7 cr7 messi messi10 neymar beckham rooney kobe
jordan jordan23 lebron lakers celtics bulls yankees cowboys steelers packers broncos raiders redskins dodgers giants
chennai chennaisuperkings csk whistlepodu mumbaiindians rcb kkr sachin sachin10 tendulkar dhoni msdhoni dhoni7 virat kohli
viratkohli rohit rohitsharma sehwag dravid ganguly kapil yuvraj raina jadeja bumrah ashwin
michael michael1 michelle jennifer jessica jessica1 ashley ashley1 amanda nicole daniel daniel1 matthew andrew andrew1 joshua
jordan1 thomas thomas1 robert william david david123 george charlie charlie1 richard joseph john johnny jonathan anthony
steven steve kevin brian jason justin brandon tyler austin dylan ryan aaron adam alex alexander alexis alexandra alice amy
andrea angela anna anne barbara benjamin bailey brittany caroline carlos carol chris christian christina christopher cynthia
danielle dennis diana donna edward elizabeth emily emma eric evelyn frank gabriel gary gregory hannah heather helen henry
isabella jack jackson jackie jacob james jane jasmin jeffrey jeremy jimmy julia julian karen katherine kathy katie kelly
kenneth kimberly laura lauren linda lisa louise lucas lucy madison margaret maria mariah marie mark martin martha mary
melissa mike mickael molly monica morgan nancy natalie natasha nathan nicholas oliver olivia oscar pamela patricia patrick
paul peter philip rachel rebecca ricky rose1 ruth samantha samuel sandra sarah scott sean sharon shannon simon sophia
sophie stella stephanie stephen susan sylvia tanya taylor teresa tiffany timothy tommy travis vanessa veronica victor
victoria vincent vivian walter wendy zachary
india india123 indian bharat hindustan jaihind jaihind123 vandemataram mumbai delhi newdelhi kolkata bangalore bengaluru
hyderabad pune madurai trichy tiruchirappalli coimbatore salem tamilnadu tamil tamilan kerala kochi andhra karnataka mysore
punjab gujarat rajasthan goa kashmir lanka nepal pakistan bangladesh singapore malaysia dubai london paris newyork california
texas canada australia america1 england germany brazil mexico russia china japan
krishna krishna1 harekrishna jaikrishna radha radhe radhakrishna radheradhe ram rama ramram jaishreeram sriram sriramajayam
sitaram hanuman jaihanuman bajrangbali shiva shiva123 omnamahshivaya namahshivaya mahadev harharmahadev bholenath om omom
omsairam sairam saibaba saisai sai123 ganesh ganesha vinayaga pillaiyar murugan muruga velmurugan vetrivel skanda ayyappa
swamiye perumal govinda govindha balaji tirupati venkatesh venkat lakshmi mahalakshmi saraswathi saraswati durga durgamaa
kali parvathi meenakshi amman mariamman kamakshi allah allahis allahuakbar bismillah muhammad mohammed mohammad mashallah
inshallah waheguru satnam
amma appa ammaappa appaamma mummy daddy mummydaddy mommy mother father mom dad momdad maa papa mamma family myfamily
brother sister son daughter wife husband friend friends bestfriend friendship friendsforever mylife mylove1 lovelife life
jaan janu shona sonu monu babu bablu pinky rinku chintu guddu raju rani raja maharaja rajini rajinikanth superstar thalaiva
thalapathy vijay vijay123 ajith thala suriya kamal kamalhaasan dhanush sivaji mgr nayanthara trisha srk shahrukh salman
salmankhan aamir amitabh hrithik ranveer deepika katrina kareena aishwarya priyanka madhuri sridevi
aarav aditi aditya ajay akash akhil akshay amar amit amit123 amol anand anand123 ananya anil anil123 anita anjali anjana ankit
ankita ankur anu anuradha anusha anushka aparna archana arjun arun arun123 aruna arvind asha ashish ashok aswin ayesha bala
balaji123 balu bharath bharathi bhavani bhavya bindu chandra chandran chandru charan chitra deepa deepak deepak123 deepthi
devi dhanya dharani dinesh dinesh123 divya divya123 divyadivya farhan fatima gaurav gayathri geetha gita gokul gopal gopi
gopinath gowri gowtham guru gurupreet hari hari123 harini harish harsh harsha hema hemant indira indu jagan jai janaki
janani jayanthi jaya jayaram jeeva jothi jyoti kala kalai kalpana kamala kanchana kannan karan karthi karthik karthik123
karthika karuna kavi kavin kavitha kavya kiran kishore komal kumar kumar123 lalitha latha lavanya lokesh madhan madhavi
madhu madhuri1 mahendra mahesh mahesh123 malar malathi malini mani manikandan manish manisha manju manoj manoj123 meena
meera mithun mohan mohit mukesh murali muthu nandini narayana naresh naveen naveen123 neeraj neha neha123 nikhil nikita nila
nirmala nisha nisha123 nithya nitin padma padmini palani pallavi pandian pankaj parthiban pavithra pooja pooja123 poonam
prabhu pradeep prakash pranav prasad prasanna prashant praveen praveen123 preethi preeti prem prem123 priya priya123
priyapriya puneet radhika raghu rahul rahul123 raj raj123 raja123 rajan rajesh rajesh123 rajeev rajkumar rajendran rakesh
ramakrishna raman ramesh ramesh123 ramya ranjith rashmi ravi ravi123 ravikumar rekha renuka revathi ritu riya rohan roshan
roshni rupa saanvi sachin123 sagar sameer sandeep sandhya sangeetha sanjana sanjay sanjay123 sanjeev santhosh saravanan
sarika sathish sathya satish savitha seema selvam selvi senthil shalini shanthi sharath sharma sheela shilpa shiv shivam
shivani shreya shruthi shweta simran singh sita siva siva123 sivakumar smitha sneha sneha123 sonal sonali sonia sony sri
srinivas srinivasan subash sudha sudhir sujatha sujith suman sumathi sumit sunil sunil123 sunita suresh suresh123 surya
surya123 sushma swathi swati tamilselvi tanvi tarun tejas uday uma umesh usha vaishnavi vani varsha varun vasanth vasantha
veena velan venkatesan vidhya vidya vignesh vikas vikram vimal vinay vineeth vinod vinoth vishal vishnu vivek vivek123 yash
yamini yogesh zara
computer internet windows microsoft google google1 gmail yahoo facebook instagram whatsapp youtube twitter linkedin amazon
flipkart paytm android iphone samsung nokia motorola vivo oppo redmi xiaomi oneplus laptop desktop keyboard system server
network database oracle java python linux ubuntu coder developer engineer doctor lawyer teacher student school college
university office company business manager money money123 dollar rupees million millionaire billionaire crorepati bank
hdfc icici shopping shop online mobile phone phone123 camera music music123 guitar guitar1 piano drums dance dancer singer
rockstar metallica nirvana eminem rihanna shakira beatles elvis prince1 queen1 arrahman ilayaraja
ferrari porsche lamborghini mercedes bmw audi toyota honda yamaha suzuki ducati harley bullet royalenfield pulsar mustang
corvette camaro chevy jeep hummer scooter truck racing racer formula1 driver pilot airplane diamond gold silver crystal
platinum pearl ruby purple yellow orange1 green blue blue123 red black white pink brown blackberry blackjack shadow shadow1
ghost mystery magic magical wizard dreamer dreams dream sweetdreams midnight darkness vampire zombie monster beast
internet1 cutie cute cutegirl handsome beautiful gorgeous crazy crazyboy coolboy cool coolguy
badboy goodboy topgun maverick cowboy rocket nothing nothing1 whatever whatever1 idontknow dontknow forget forgot remember
myself iamking iamqueen iambest bestboy single alone loser stupid idiot
`
    .trim()
    .split(/\s+/)
)
